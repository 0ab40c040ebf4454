"""Shen et al. 2022: On the Evaluation Metrics for Paraphrase Generation."""
