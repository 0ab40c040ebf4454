"""Tables of papers, computed anew: as printed, as the authors' code has them, and corrected."""
