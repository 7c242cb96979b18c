"""What is imported from packages that TorchNeuron has no place for."""
