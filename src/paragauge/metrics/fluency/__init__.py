"""Is it good language?"""
