"""From a line of text to a reply: prompt, plan, steps, answer."""
