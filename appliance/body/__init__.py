"""The edges: sound card, recordings, clock; later the button and the light."""
