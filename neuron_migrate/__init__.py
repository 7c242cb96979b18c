"""Find and rewrite what keeps PyTorch code from running well on AWS Trainium with TorchNeuron."""

__version__ = "0.1.0"
