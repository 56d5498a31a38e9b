#!/bin/sh
# Claims: on bare Debian 12, 13 and sid, with their versions of Octave and compilers, both
# commands of README pass, as does the package; a MEX file that was built for another
# Octave is refused with a message.  Installs each Debian into a temporary folder
# (debootstrap, root), so with GPUEIG_TEST_LONG only; GPUEIG_TEST_DEBIAN names some of
# them, GPUEIG_TEST_WORDS some tests, as the arguments of run.sh.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

[ -n "${GPUEIG_TEST_LONG:-}" ] || leave_out "three whole Debians take long: set GPUEIG_TEST_LONG"
[ "$(id -u)" = 0 ] || leave_out "debootstrap and chroot want to be root"
command -v debootstrap >/dev/null || leave_out "debootstrap is not installed"

root=$(mktemp -d "${TMPDIR:-/var/tmp}/gpueig-debian.XXXXXX")
clear_root ()
{
  umount "$root/tree/proc" "$root/tree/dev" 2>/dev/null
  # Never through a mount into the machine's own /dev.
  rm -rf --one-file-system "$root/tree"
}
trap 'clear_root; rm -rf --one-file-system "$root" "$folder"' EXIT
trap 'exit 1' INT TERM

inside ()
{
  chroot "$root/tree" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    sh -c "cd /gpueig && $1"
}

# check_suite NAME: one Debian.
check_suite ()
{
  if ! debootstrap --variant=minbase "$1" "$root/tree" >"$root/log" 2>&1; then
    skip "debootstrap could not install $1: $(tail -n 1 "$root/log")"
    return
  fi
  cp /etc/resolv.conf /etc/hosts "$root/tree/etc/" 2>/dev/null
  cp -r /etc/apt/apt.conf.d/. "$root/tree/etc/apt/apt.conf.d/" 2>/dev/null
  mkdir "$root/tree/gpueig"
  tar -cf - --exclude='./build*' --exclude=./.git . | tar -C "$root/tree/gpueig" -xf -
  if ! mount --bind /proc "$root/tree/proc" || ! mount --bind /dev "$root/tree/dev"; then
    skip "mount is not allowed here"
    return
  fi
  inside 'sh demos/quickstart.sh' >"$root/log" 2>&1
  check $? "$1: quickstart.sh: $(tail -n 5 "$root/log")"
  inside "sh tests/run.sh ${GPUEIG_TEST_WORDS:-}" >"$root/log" 2>&1
  check $? "$1: run.sh: $(grep -v 'count:\|, 0 failed, ' "$root/log" | tail -n 60)"
  last=$(grep '^[0-9]* passed, .* failed' "$root/log" | tail -n 1)
  echo "count: $1, $(inside 'octave-cli --version' | head -n 1): $last"
  mex=$root/tree/gpueig/build/inst/__gpueig__.mex
  cp "$mex" "$root/own"
  for other in "$root"/*.mex; do
    [ -f "$other" ] || continue
    cp "$other" "$mex"
    inside 'octave-cli --norc --path build/inst --eval "gpu_eig (1)"' >"$root/log" 2>&1
    grep -q "this is Octave\|liboctmex\|recompiling this .mex file" "$root/log"
    check $? "$1 refuses $(basename "$other"): $(tail -n 5 "$root/log")"
  done
  mv "$root/own" "$root/$1.mex"
}

for suite in ${GPUEIG_TEST_DEBIAN:-bookworm trixie sid}; do
  check_suite "$suite"
  clear_root
done
finish
