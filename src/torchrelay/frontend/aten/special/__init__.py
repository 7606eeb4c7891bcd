"""The converters of special functions."""

from torchrelay.frontend.aten.special import airy, bessel, bits, gamma, integers, normal, polynomials

__all__ = ["airy", "bessel", "bits", "gamma", "integers", "normal", "polynomials"]
