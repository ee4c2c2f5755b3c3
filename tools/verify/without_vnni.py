"""A copy of ONNX Runtime's library that takes its processor for one without VNNI instructions.

python tools/verify/without_vnni.py LIBRARY COPY
    MODEL_VALIDATOR_ONNXRUNTIME=COPY model_validator verify … then shows what int8 loses on such a processor: its kernels add
    products of uint8 and int8 in sixteen bits. Seen with 1.31.1 on x86-64.
"""

import re
import sys
from pathlib import Path

AVX512 = bytes.fromhex("000002c0")  # the bits of cpuid that its test of AVX512 masks
VNNI = re.compile(rb"\x81[\xe0-\xe7]\x00\x08\x00\x00")  # `and $0x800,%register`
NEARBY = 0x400  # bytes


def main() -> None:
    library, copy = map(Path, sys.argv[1:])
    code = bytearray(library.read_bytes())
    places = set()
    at = code.find(AVX512)
    while at >= 0:
        found = VNNI.search(code, at, at + NEARBY)
        if found:
            places.add(found.start())
        at = code.find(AVX512, at + 1)
    if not places:
        sys.exit(f"{library}: no test of VNNI was found")
    for place in places:
        code[place + 3] = 0
    copy.write_bytes(code)
    print(f"{copy}: {len(places)} tests of VNNI never hold")


if __name__ == "__main__":
    main()
