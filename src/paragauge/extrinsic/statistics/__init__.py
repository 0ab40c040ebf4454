"""Functions on arrays: accuracies over seeds and texts, scores against answers, metrics against gains."""
