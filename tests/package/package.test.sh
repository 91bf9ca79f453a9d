#!/usr/bin/env bash
# Makes a Debian package of a build, installs it into a folder of its own, uses it there, and removes
# it: tests/package/package.test.sh BUILD_FOLDER. With WEFT_LONG, in a clean Debian too, with what it depends on
# from Debian's archive.
set -euo pipefail
build=$1
for tool in cpack dpkg dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
[[ $EUID == 0 ]] || { echo "skipped: dpkg installs as root only"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

cpack --config "$build/CPackConfig.cmake" -B "$scratch/made" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
package=$(echo "$scratch"/made/weft_*.deb)
[[ -f $package ]] || fail "no package was made"
for library in libsqlite3-0 libarchive13; do
  dpkg-deb --field "$package" Depends | grep -q "$library" || fail "the package does not depend on $library"
done

root=$scratch/root
mkdir -p "$root/var/lib/dpkg/"{info,updates}
touch "$root/var/lib/dpkg/status"
# Libraries are those of this machine: the folder has no packages of its own.
put() { dpkg --root="$root" --force-depends --log=/dev/null "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; }
put --install "$package"
weft=$root/usr/bin/weft
export HOME=$scratch/home WEFT_HOME=$scratch/home/weft
mkdir -p "$HOME"
[[ $("$weft" -V) == "weft "* ]] || fail "the installed weft does not run"
"$weft" up --once | grep -q 'The early ferry' || fail "the installed weft shows no sample"
"$weft" read last | grep -q 'The early ferry' || fail "the installed weft does not read"
for file in share/man/man1/weft.1.gz share/man/man1/weft-read.1.gz lib/systemd/user/weft.service \
  share/bash-completion/completions/weft share/zsh/vendor-completions/_weft \
  share/fish/vendor_completions.d/weft.fish; do
  [[ -f $root/usr/$file ]] || fail "$file is missing"
done
grep -q '^ExecStart=/usr/bin/weft up$' "$root/usr/lib/systemd/user/weft.service" || fail "the service starts another weft"

# bash completes with what is installed.
offered=$(PATH=$root/usr/bin:$PATH bash --norc -c '
  source "$1"; COMP_WORDS=(weft rea) COMP_CWORD=1; _weft; echo "${COMPREPLY[*]}"' - \
  "$root/usr/share/bash-completion/completions/weft")
[[ $offered == read ]] || fail "completion of 'rea' offers '$offered'"

# A hook of a weft that is gone is named.
mkdir -p "$HOME/.claude"
echo '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/nowhere/weft hook"}]}]}}' >"$HOME/.claude/settings.json"
("$weft" doctor || true) | grep -q '/nowhere/weft.*weft hook install' || fail "doctor does not name a stray hook"

put --remove weft
[[ ! -e $weft ]] || fail "the package was removed and left weft behind"
echo "the package installs, runs and is removed"

[[ -n ${WEFT_LONG:-} ]] || exit 0
command -v mmdebstrap >/dev/null || fail "there is no mmdebstrap: tools/setup test installs it"
source /etc/os-release
export TMPDIR=$scratch
unset HOME WEFT_HOME
use="$(dirname "$(realpath "$0")")/clean_root.sh"
mmdebstrap --variant=apt --format=null --customize-hook="'$use' '$package' \"\$1\"" "$VERSION_CODENAME" - \
  >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; exit 1; }
grep '^the package' "$scratch/log" || fail "the clean Debian was not used"
