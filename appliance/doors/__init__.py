"""Where others reach the appliance, and it them: the service manager, and who asks for its health or its metrics."""
