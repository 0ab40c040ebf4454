"""Systems and runs side by side, on the same samples; no score is computed here."""
