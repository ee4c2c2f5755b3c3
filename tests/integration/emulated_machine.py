"""A machine of another architecture, which QEMU emulates process by process: a small Debian as its root, and this machine's kernel.

QEMU knows neither Landlock nor seccomp's filters, and limits no memory: what those hold is tested on real machines alone.
"""

import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Bytes 5 to 20 of an ELF file of 64 bits, little-endian, that is a program or a library for aarch64, and which bits of them count.
PROGRAMS_OF = {
    "aarch64": r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
               r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff",
}
# Those of clouds. With all that the emulator can do (SVE among it), OpenVINO computes something else there.
PROCESSORS = {"aarch64": "neoverse-n1"}
# Programs of the other architecture are known to the kernel in this namespace alone. The emulator is opened beforehand: in
# the root there is none. /sys describes this machine's processors, at which ONNX Runtime crashes; OpenVINO crashes without it.
ENTER = """\
set -e
root=$1 shared=$2 packages=$3 torches=$4 emulator=$5; shift 5
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf '%s' ":emulated:M::$emulator:F" > /proc/sys/fs/binfmt_misc/register
mount --bind "$shared" "$root/srv"
mount --bind "$packages" "$root/srv/packages"
[ ! -d "$torches" ] || mount --bind "$torches" "$root/srv/torches"
mount --bind "$shared/opt" "$root/opt"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
[ -z "${WITH_SYS:-}" ] || mount --rbind /sys "$root/sys"
mount -t tmpfs none "$root/tmp"
exec chroot "$root" "$@"
"""


class Machine:
    """What lies in `shared` is in its /srv, with the Python packages of that architecture in /srv/packages and the torches that the
    wheel was built with in /srv/torches; its /opt is writable."""

    def __init__(self, architecture, shared):
        self.root = PROJECT / ".cache" / architecture / "root"
        self.packages = PROJECT / ".cache" / architecture / "packages"
        self.torches = PROJECT / ".cache" / f"torch-{architecture}"
        self.shared = shared
        for name in ("packages", "torches", "opt"):
            (shared / name).mkdir()
        emulator = shutil.which(f"qemu-{architecture}-static")
        self._variables = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/srv", "QEMU_CPU": PROCESSORS[architecture]}
        self._emulator = f"{PROGRAMS_OF[architecture]}:{emulator}" if emulator else None

    def missing(self):
        """Why it cannot be started, or nothing."""
        if self._emulator is None or not self.root.exists() or not self.packages.exists():
            return f"what `tools/setup/setup.sh {self.root.parent.name}` installs is not there"
        started = self.run("/bin/true")
        return f"the kernel starts no foreign programs here: {started.stderr.strip()}" if started.returncode != 0 else ""

    def run(self, *command, **variables):
        return subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", ENTER, "enter",
             str(self.root), str(self.shared), str(self.packages), str(self.torches), self._emulator, *map(str, command)],
            capture_output=True, text=True, check=False, env={**self._variables, **variables})
