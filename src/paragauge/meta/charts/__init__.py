"""The analyses as charts."""
