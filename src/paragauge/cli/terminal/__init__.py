"""What all commands share with the terminal: printing, progress, signals, hints."""
