"""Reports of studies: which metric to trust, whether further references help, whether paraphrases help a task."""
