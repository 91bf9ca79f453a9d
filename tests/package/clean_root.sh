#!/usr/bin/env bash
# Installs weft's package in a clean Debian, with what it depends on from Debian's archive, uses it there, and
# removes it. mmdebstrap calls this with the folder of that Debian: tests/package/clean_root.sh PACKAGE ROOT
set -euo pipefail
package=$1 root=$2
fail() { echo "FAILED: $*" >&2; exit 1; }
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}

cp "$package" "$root/root/weft.deb"
inside apt-get install --yes --no-install-recommends /root/weft.deb || fail "the package cannot be installed"
[[ $(inside weft -V) == "weft "* ]] || fail "weft does not run in a clean Debian"
inside weft up --once | grep -q 'The early ferry' || fail "weft shows no sample in a clean Debian"
inside weft read last | grep -q 'The early ferry' || fail "weft does not read in a clean Debian"
inside weft verify | grep -q '^valid' || fail "weft does not verify in a clean Debian"

mapfile -t files < <(inside dpkg -L weft)
((${#files[@]} > 10)) || fail "the package lists no files"
inside dpkg --purge weft
for file in "${files[@]}"; do
  [[ -d $root$file || ! -e $root$file ]] || fail "the package was removed and left $file behind"
done
[[ -f $root/root/.local/share/weft/weft.db ]] || fail "removing the package removed what it stored"
echo "the package installs in a clean Debian, runs and is removed"
