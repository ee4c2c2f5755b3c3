#!/usr/bin/env bash
# The npm packages that page/page.html is built from, in page/node_modules. Without npm, the file in the repository is used,
# and nothing says whether it is fresh.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fetching.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/../../page"
command -v npm >/dev/null || { echo "setup: npm is missing, so the page is used as it is in the repository"; exit 0; }
wanted=$(sha256sum package-lock.json)
stamp=node_modules/.model_validator
[ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || exit 0
echo "setup: installing the npm packages of the page"
fetch "an npm package of the page" npm ci --no-audit --no-fund
echo "$wanted" > "$stamp"
