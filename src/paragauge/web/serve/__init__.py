"""`paragauge serve`: paraphrases scored as they are typed, files and their reports, and the same for programs."""
