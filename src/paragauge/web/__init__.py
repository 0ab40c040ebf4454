"""Pages and answers over HTTP, for the browser and for programs of the same machine."""
