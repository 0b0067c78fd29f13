"""Reducers and read models: what the events add up to."""
