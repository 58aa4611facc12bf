"""An offline voice appliance: ears, words, thought, memory, tools, voice and body."""

import os

__version__ = "0.1.0"

# onnxruntime's wheels send telemetry from 1.29 on unless this is set before the first import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
