"""What metrics of several questions share: parameters and features, by what they read."""
