"""What looks back: timeline, verify, battle report and pictures."""
