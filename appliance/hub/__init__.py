"""The hub: a server for programs and people in the home. It thinks nothing and keeps no words: the core does that.

It is a process and a user of its own. It knows who asks (by a token), what they may ask (a table), and the way to the
core (a local socket). A request passes gate.py, which finds all of this out, and comes to a handler of routes.py.
"""
