"""One file a runtime, which the prober finds by itself: docs/new-target.md says what it holds."""
