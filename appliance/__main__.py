"""`python -m appliance` is the same command as `appliance`."""

import sys

from appliance.cli import main

sys.exit(main())
