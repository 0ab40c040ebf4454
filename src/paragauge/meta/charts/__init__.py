"""Charts of what is found about metrics, and files of them."""
