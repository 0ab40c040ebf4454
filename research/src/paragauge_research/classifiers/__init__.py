"""The networks of Hailu et al. 2020."""
