"""Numbers, durations, dates and clock times: read from words and spoken in words, in one place."""
