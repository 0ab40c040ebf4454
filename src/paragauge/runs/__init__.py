"""Run folders: finished parts kept under an identity, and the manifests by which damage is found."""
