"""`python -m appliance` is the same command as `appliance`, and the one that a box runs."""

import faulthandler
import sys

from appliance.cli import main

faulthandler.enable()  # after a crash, or a hang that the watchdog ends, the journal shows where each thread stood
sys.exit(main())
