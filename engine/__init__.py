"""What decides: the procedure runner, the rules by phase, dice, geometry, armies and the `Game`."""
