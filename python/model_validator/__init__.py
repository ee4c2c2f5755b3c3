"""Lints exported neural networks before they are compiled.

The package carries the program `model_validator`; LibTorch is that of the installed `torch`.
"""
