"""Which questions are held out."""
from __future__ import annotations

import hashlib


def is_drawn(name: str, draw: str) -> bool:
    """Whether it is in the third that nothing is learnt from. Once these were looked at, another draw is made."""
    return hashlib.sha256(f"{draw}{name}".encode()).digest()[0] % 3 == 0
