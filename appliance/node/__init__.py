"""A node: the box has ears and voice of its own, and its thought is on a hub (spec/hub.md, Node).

commanding.py takes one line to the hub and runs the tools that it calls here; link.py is the way there, through the
bridge, for the appliance has no network. What no hub is needed for stays with the sentences of this box
(reply/remote.py).
"""
