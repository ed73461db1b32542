#!/bin/sh
# Runs a file of this repository with the locked version of Node, whatever Node the machine has:
#   sh scripts/run.sh <file> [arguments]
# Every npm script uses this, so each works right after a clone: missing packages, and packages that no longer
# match package-lock.json, are installed first. Signals and exit codes pass through (exec).
set -eu

caller=$PWD
cd "$(dirname "$0")/.."
root=$PWD
stamp=node_modules/.installed-lock
lock=.install.lock
node=node_modules/.bin/node

say() { printf '%s\n' "$*" >&2; }

# cksum is POSIX, so every machine has it. A secure hash is not needed.
wanted() { cksum <package-lock.json; }

installed() {
  [ -x "$node" ] || return 1
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] && return 0
  # After npm install of another package everything is installed, and only the stamp is outdated.
  "$node" -e '
    const { readFileSync } = require("node:fs");
    const packages = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
    const there = packages("node_modules/.package-lock.json");
    const missing = Object.entries(packages("package-lock.json")).some(([path, wanted]) =>
      path.includes("node_modules/") && !wanted.optional &&
      (there[path] === undefined || there[path].version !== wanted.version));
    process.exit(missing ? 1 : 0);
  ' 2>/dev/null && wanted >"$stamp"
}

# Whether the machine's own Node is new enough and development packages are not installed (an image).
own_node_will_do() {
  [ -d node_modules ] && [ ! -e "$node" ] && [ ! -d node_modules/mocha ] && command -v node >/dev/null &&
    node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)'
}

check_machine() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    say 'Node.js and npm are needed to install the packages: install nodejs and npm, 18 or newer, and try again.'
    exit 1
  fi
  if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)'; then
    say "Node.js $(node -v) is too old to install the packages: install Node.js 18 or newer and try again."
    exit 1
  fi
}

# mkdir is atomic: of two commands that start together one installs and the other waits. A lock of a dead
# process was left by a killed installation.
take_lock() {
  told=
  ownerless=0
  until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    [ -n "$owner" ] || ownerless=$((ownerless + 1))
    if [ "$ownerless" -gt 5 ] || { [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; }; then
      rm -rf "$lock"
      continue
    fi
    [ -n "$told" ] || say 'Waiting for another command that is installing the packages'
    told=yes
    sleep 1
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' INT TERM HUP
}

install() {
  log=$(mktemp)
  say 'Installing the packages of package-lock.json (about half a minute, only when they have changed)'
  # Settings that npm puts into the environment of scripts must not affect this npm. NODE_ENV=production would
  # omit packages that the commands need.
  # The second form accepts a registry that lacks the packages of other platforms, and does
  # not change the lock file.
  if ! NODE_ENV=development npm ci --include=dev --no-audit --no-fund >"$log" 2>&1 &&
    ! NODE_ENV=development npm install --include=dev --no-save --no-audit --no-fund >>"$log" 2>&1; then
    grep -v EBADENGINE "$log" | tail -n 20 >&2
    rm -f "$log"
    say 'The packages could not be installed: see above; is the npm registry reachable?'
    exit 1
  fi
  # The install script of the package "node" installs the locked Node. npm may be configured
  # to skip install scripts.
  if [ ! -x "$node" ] && [ -f node_modules/node/installArchSpecificPackage.js ]; then
    (cd node_modules/node && command node installArchSpecificPackage.js >>"$log" 2>&1) || true
    ln -sf ../node/bin/node "$node"
  fi
  if ! "$node" -e 0 2>/dev/null; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    say 'The locked Node.js could not be installed (node_modules/.bin/node): allow install scripts (npm config set' \
      'ignore-scripts false) and try again, or put Node.js 24 on the PATH and run: npm ci --omit=dev'
    exit 1
  fi
  rm -f "$log"
  wanted >"$stamp"
}

if own_node_will_do; then
  node=node
elif ! installed; then
  check_machine
  take_lock
  installed || install
  rm -rf "$lock"
  trap - EXIT INT TERM HUP
fi

[ "$node" = node ] || node=$root/$node
PATH=$root/node_modules/.bin:$PATH
export PATH
case ${1-} in
  '') say 'usage: sh scripts/run.sh <file> [arguments]'; exit 2 ;;
  /*) ;;
  *) [ -e "$1" ] || { say "$caller: no file $1 in $root"; exit 2; } ;;
esac
exec "$node" "$@"
