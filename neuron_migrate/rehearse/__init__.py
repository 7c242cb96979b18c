"""A simulated `neuron` device on the CPU, and the recording of what a program did with it.

Only the modules that live in the child process import torch: `recording` (what is read back) and
`lines` do not, so that the command line can use them without it.
"""
