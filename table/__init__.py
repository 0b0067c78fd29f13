"""Where people meet the engine: the command line."""
