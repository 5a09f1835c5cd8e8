#!/bin/sh
# Says in one line what is missing or too old, and how to get it. Usage: tools.sh node npm go
fail() { echo "error: $1" >&2; exit 1; }
older() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" != "$2" ]; }

need() { # name, least version, found version, how to get it
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing; $1 $2 or newer is needed. $4"
  found=$($3 2>/dev/null | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1)
  older "$found" "$2" && fail "$1 $found is too old; $2 or newer is needed. $4"
  return 0
}

for tool in "$@"; do
  case $tool in
    node) need node 20.0.0 "node --version" "Get Node.js from https://nodejs.org or your distribution (it only runs npm: Portway brings its own Node 24)." ;;
    npm) need npm 10.0.0 "npm --version" "It comes with Node.js; update it with: npm install -g npm@11" ;;
    go) need go 1.21.0 "go version" "Get Go 1.26 or newer from https://go.dev/dl or your distribution." ;;
  esac
done
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64 | Linux-aarch64) ;;
  *) fail "$(uname -s) on $(uname -m) is not supported: Portway is built and tested on Linux, on x86_64 and aarch64." ;;
esac
