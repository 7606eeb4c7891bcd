"""torchrelay against PyTorch's own database of operators: every sample captured, converted, run and compared.

``python -m tests.opinfo --route trace`` prints the verdict of each operator; ``make opinfo`` does so for both routes.
"""
