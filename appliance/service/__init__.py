"""The service: one state table, its loop, turns, ringing, news and supervision."""
