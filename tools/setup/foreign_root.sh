#!/usr/bin/env bash
# A small Debian of another architecture, unpacked and not installed: the libraries that the program is built with, and the
# Python that its tests run there.
#   foreign_root.sh ARCHITECTURE FOLDER     in Debian's words: `arm64`
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/fetching.sh"
. "$here/apt_apart.sh"
architecture=$1 target=$(realpath -m "$2")
release=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
mapfile -t packages < <(grep -e '-dev$' "$here/debian-packages.txt"; cat "$here/debian-packages-foreign.txt")
wanted="$architecture $release ${packages[*]}"
[ "$(cat "$target.made" 2>/dev/null)" != "$wanted" ] || exit 0

echo "setup: unpacking Debian $release for $architecture in $target"
rm -rf "$target"
mkdir -p "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
apt_apart "$work" "$release" "$architecture"
fetch "a Debian package for $architecture" "${apart[@]}" install --yes --download-only --no-install-recommends "${packages[@]}"
for archive in "$work"/cache/archives/*.deb; do dpkg -x "$archive" "$target"; done
# What a link names is in this folder, for the linker as well, which does not know that this is a root.
mkdir -p "$target"/{dev,opt,proc,srv,sys,tmp}
find "$target" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link goal; do
  ln -sfnr "$target$goal" "$link"
done
echo "$wanted" > "$target.made"
