"""Typed tensors and constructors from before devices and dtypes."""
