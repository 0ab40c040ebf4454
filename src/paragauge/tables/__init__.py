"""The tables that everything passes through: samples, scores, ratings, and how scores are summed up."""
