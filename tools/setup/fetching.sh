# Sourced: what comes over the network is named where it does not come.

# fetch WHAT COMMAND…: runs it in silence. Where it fails, says what is missing and why, and ends the script: what was installed
# before stays, and a second run goes on from there.
fetch() {
  local what=$1 log
  shift
  log=$(mktemp)
  if "$@" </dev/null >"$log" 2>&1; then rm "$log"; return; fi
  echo "setup: $what cannot be installed: $(reason_in "$log")" >&2
  echo "setup: run the same once more when it can be reached; it goes on from here" >&2
  rm "$log"
  exit 1
}

# How the clients say that nothing answers; their last line then says that there is no such package.
no_answer="Failed to establish a new connection: [^')]*|Temporary failure resolving [^ ]+|Could not (connect|resolve)[^.]*"
no_answer+="|getaddrinfo [A-Z_]+ [^ ]+|connect E[A-Z]+ [^ ]+|Connection (refused|reset|timed out)|[Rr]ead timed out|Network is unreachable"

# reason_in LOG: why a package manager failed, on one line
reason_in() {
  local line
  if line=$(grep -m1 -oE "$no_answer" "$1"); then echo "the network does not answer ($line)"; return; fi
  line=$(grep -m1 -E '^(E: |ERROR: |npm (error|ERR!) )' "$1" || tail -n 1 "$1")
  echo "${line:-no reason is given}" | cut -c1-300
}

# fetch_python PYTHON LIST…: all packages at once, which is fast; where that fails, one after the other, so that the one that is
# missing is named and those before it stay
fetch_python() {
  local python=$1 list line arguments=() pip
  shift
  pip=("$python" -m pip install --quiet --no-input --disable-pip-version-check)
  for list in "$@"; do arguments+=(-r "$list"); done
  ! "${pip[@]}" "${arguments[@]}" &>/dev/null || return 0
  while read -r line; do
    fetch "the Python package $line" "${pip[@]}" "$line"
  done < <(cat "$@" | sed 's/#.*//' | grep -v '^ *$')
}
