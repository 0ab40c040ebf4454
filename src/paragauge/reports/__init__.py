"""Reports: one HTML file, from run folders, that opens from disk and asks no network for anything."""
