"""Bytes to tables and back: formats, columns, reading, writing, run folders, guarded pickles."""
