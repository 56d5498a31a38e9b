#!/bin/sh
# Claims: on Debian 13, with its newer Octave and compilers, the same commands
# pass the same tests.  Installs a bare Debian 13 into a temporary folder
# (debootstrap, root), so with GPUEIG_TEST_LONG only.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

skip ()
{
  echo "skip: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

[ -n "${GPUEIG_TEST_LONG:-}" ] || skip "a whole Debian 13 takes minutes: set GPUEIG_TEST_LONG"
[ "$(id -u)" = 0 ] || skip "debootstrap and chroot want to be root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" != trixie ] || skip "this is Debian 13"

root=$(mktemp -d "${TMPDIR:-/var/tmp}/gpueig-debian13.XXXXXX")
leave ()
{
  umount "$root/proc" "$root/dev" 2>/dev/null
  # Never through a mount into the machine's own /dev.
  rm -rf --one-file-system "$root"
}
trap leave EXIT
trap 'exit 1' INT TERM

if ! debootstrap --variant=minbase trixie "$root" >"$root.log" 2>&1; then
  tail -n 3 "$root.log"
  rm -f "$root.log"
  skip "debootstrap could not install Debian 13"
fi
rm -f "$root.log"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null
mount --bind /proc "$root/proc" && mount --bind /dev "$root/dev" || skip "mount is not allowed here"
mkdir "$root/gpueig"
tar -cf - --exclude='./build*' --exclude=./.git . | tar -C "$root/gpueig" -xf -
chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
  sh -c 'cd /gpueig && sh tests/run.sh; echo "count: 1 run with $(octave-cli --version | head -n 1)"' >"$root/log" 2>&1
last=$(grep '^[0-9]* passed, .* failed' "$root/log" | tail -n 1)
grep '^count: 1 run with' "$root/log"
case $last in
  *' 0 failed, '*) ;;
  *) echo "FAIL on Debian 13:"; grep -v 'count:' "$root/log" | tail -n 60 ;;
esac
echo "${last:-0 passed, 1 failed, 0 skipped}"
