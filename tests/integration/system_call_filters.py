"""What a filter of system calls answers, from its program for the kernel: where a kernel of its architecture is not at hand."""

import struct

# As the audit of Linux numbers architectures.
ARCHITECTURES = {"aarch64": 0xC00000B7, "x86_64": 0xC000003E}
# Those that Linux gives all its newer architectures, arm64 among them.
CALLS = {
    "mkdirat": 34, "unlinkat": 35, "linkat": 37, "mount": 40, "faccessat": 48, "fchmodat": 53, "openat": 56, "read": 63, "write": 64,
    "pwrite64": 68, "ppoll": 73, "readlinkat": 78, "newfstatat": 79, "exit_group": 94, "futex": 98, "ptrace": 117,
    "sched_setaffinity": 122, "kill": 129, "rt_sigreturn": 139, "prctl": 167, "socket": 198, "connect": 203, "munmap": 215, "clone": 220,
    "execve": 221, "mmap": 222, "mprotect": 226, "renameat2": 276, "getrandom": 278, "bpf": 280, "execveat": 281, "rseq": 293,
    "io_uring_setup": 425, "clone3": 435,
}
ACTIONS = {0x7FFF: "allow", 0x0003: "trap", 0x0000: "kill", 0x8000: "kill"}


def answer(program, architecture, call, *arguments):
    """`allow`, `trap` (the process is ended), `kill`, or `errno 1`."""
    data = struct.pack("<IIQ6Q", CALLS[call], ARCHITECTURES[architecture], 0, *arguments, *[0] * (6 - len(arguments)))
    value, at = 0, 0
    while True:
        operation, if_true, if_false, constant = struct.unpack_from("<HBBI", program, at * 8)
        at += 1
        if operation == 0x20:  # load
            (value,) = struct.unpack_from("<I", data, constant)
        elif operation == 0x54:  # and
            value &= constant
        elif operation == 0x05:  # jump
            at += constant
        elif operation == 0x06:  # return
            return ACTIONS.get(constant >> 16) or f"errno {constant & 0xFFFF}"
        else:
            holds = {0x15: value == constant, 0x25: value > constant, 0x35: value >= constant, 0x45: value & constant != 0}[operation]
            at += if_true if holds else if_false
