# What the parts of packaging/build share; each begins with `. packaging/settings.sh`.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

NAME=chat-group-members
WORK=target/packaging
OUT=${PACKAGE_OUT:-$WORK/out}
# The oldest glibc that the program runs with: Debian 11, Ubuntu 20.04, RHEL 9.
TARGET=x86_64-unknown-linux-gnu
GLIBC=2.31
# The Cargo features of the program. Licences and the bill of materials are those of its crates.
FEATURES=otlp
PROGRAM=target/$TARGET/dist/$NAME
# Man pages, completions and documents, as archive, package and image install them.
SHARED=$WORK/shared

# The version in Cargo.toml is that of the next release. Between releases the commit and its date follow, by a tilde, which
# Debian sorts before the release.
version() {
  local next
  next=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
  if [ "$(git describe --exact-match --match 'v*' 2>/dev/null)" = "v$next" ]; then
    echo "$next"
  else
    echo "$next~git$(TZ=UTC git show -s --format=%cd --date=format-local:%Y%m%d.%H%M).$(git rev-parse --short=8 HEAD)"
  fi
}
VERSION=${PACKAGE_VERSION:-$(version)}

# Times in the artefacts are those of the commit: the same tree gives the same files.
SOURCE_DATE_EPOCH=$(git show -s --format=%ct)
export SOURCE_DATE_EPOCH

# A tool of PyPI or crates.io, installed below target/ at the version that is tried.
from_pypi() {
  [ -x "$WORK/tools/bin/pip" ] || python3 -m venv "$WORK/tools"
  "$WORK/tools/bin/pip" install --quiet --disable-pip-version-check "$@"
}
from_crates() {
  local crate=$1 version=$2
  [ -f "$WORK/tools/$crate-$version" ] && return
  cargo install --quiet --locked --debug --root "$WORK/tools" "$crate@$version"
  touch "$WORK/tools/$crate-$version"
}

# The tar of a folder whose owner and times are ours.
archive() { tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" "$@"; }

# A program of a Debian package that is missing says which.
needs() {
  command -v "$1" >/dev/null || { echo "packaging needs $1: apt install $2" >&2 && exit 1; }
}
