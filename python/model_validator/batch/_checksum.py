"""The checksum of a file of zeros, without going through them."""

from __future__ import annotations

from functools import lru_cache

POLYNOMIAL = 0xEDB88320
ONES = 0xFFFFFFFF

Map = tuple[int, ...]
"""What becomes of each bit of the register; it is linear."""


@lru_cache(4096)
def checksum_of_zeros(count: int) -> int:
    """CRC-32, as zips have it, of so many zero bytes."""
    register = ONES
    for power in range(count.bit_length()):
        if count >> power & 1:
            register = _applied(_zeros(power), register)
    return register ^ ONES


@lru_cache(64)
def _zeros(power: int) -> Map:
    """What 2 to that power zero bytes do to the register."""
    if power > 0:
        half = _zeros(power - 1)
        return tuple(_applied(half, bit) for bit in half)
    bits = [1 << index for index in range(32)]
    for _ in range(8):
        bits = [bit >> 1 ^ (POLYNOMIAL if bit & 1 else 0) for bit in bits]
    return tuple(bits)


def _applied(change: Map, register: int) -> int:
    result = 0
    for index, bit in enumerate(change):
        if register >> index & 1:
            result ^= bit
    return result
