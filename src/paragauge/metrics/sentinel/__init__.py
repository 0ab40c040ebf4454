"""What must a metric beat to mean anything?"""
