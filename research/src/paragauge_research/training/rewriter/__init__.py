"""Training of the paraphraser that ships: updates of low rank to a small language model that writes English already."""
