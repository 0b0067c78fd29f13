"""Facts and inputs: what happened at the table, as frozen msgspec Structs, and the ledger that keeps them."""
