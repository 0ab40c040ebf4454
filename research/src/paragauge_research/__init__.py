"""What paragauge is built and checked by: papers, the training of its models, and methods of single papers."""
