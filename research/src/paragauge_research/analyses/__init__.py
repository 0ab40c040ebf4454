"""What a metric's agreement with people comes from."""
