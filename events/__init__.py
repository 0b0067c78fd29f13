"""Facts and inputs as frozen msgspec Structs, and the ledger that keeps them."""
