"""What is computed for metrics: the workspace that does it once, the disk cache, the features of texts."""
