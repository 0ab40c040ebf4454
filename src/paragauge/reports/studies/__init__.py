"""Reports of studies: which metric to trust, whether additional references help, whether paraphrases help a task."""
