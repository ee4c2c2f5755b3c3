# Sourced: an apt-get that neither reads nor changes what is installed.
#   apt_apart FOLDER RELEASE ARCHITECTURE    sets the array `apart` to it; FOLDER gets its package lists and its archives
# Fails, and says why, where there is no apt-get or no Debian mirror.
apt_apart() {
  local folder=$1 release=$2 architecture=$3 mirror security
  command -v apt-get dpkg >/dev/null || { echo "not a Debian system" >&2; return 1; }
  mirror=$(configured_mirror debian)
  [ -n "$mirror" ] || { echo "no Debian mirror is configured" >&2; return 1; }
  security=$(configured_mirror debian-security)
  mkdir -p "$folder"/{state/lists/partial,cache/archives/partial}
  touch "$folder/status"
  local signed="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
  {
    echo "deb $signed $mirror $release main"
    [ -z "$security" ] || echo "deb $signed $security $release-security main"
  } > "$folder/sources.list"
  apart=(apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Acquire::Languages=none
         -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$folder/state"
         -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root)
  "${apart[@]}" update
}

# configured_mirror ARCHIVE: the first address of it that this system's apt knows, if any
configured_mirror() {
  grep -rhoE "https?://[^ ]+/$1/?( |\$)" /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true
}
