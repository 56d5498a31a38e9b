#!/bin/sh
# Claims about processes of the backend "mpi": Ctrl-C ends them all and the next call is
# right; they end with an Octave that is killed, and neither ending leaves a process, a
# folder or shared memory; no room for V is found before the work; the command line does the
# same without Octave.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

worker=$build/inst/gpueig-worker
if [ ! -x "$worker" ] || ! command -v mpirun >/dev/null; then
  leave_out "gpueig-worker was not built, or there is no mpirun"
fi

GPUEIG_LAUNCH='mpirun --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 -n %d'
# Sessions are in TMPDIR where its name is short.
[ "$(printf %s "${TMPDIR:-}" | wc -c)" -le 17 ] || TMPDIR=/tmp
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/m.XXXX")
GPUEIG_TEST_MARK=$TMPDIR
export GPUEIG_LAUNCH TMPDIR GPUEIG_TEST_MARK
trap 'rm -rf "$TMPDIR" "$folder"' EXIT
out=$TMPDIR/out

# Processes of this test's own workers and launchers: they have its mark.
own_processes ()
{
  for process in /proc/[0-9]*; do
    # Short names end after 15 characters.
    case $(cat "$process/comm") in
      gpueig-worker | mpirun | sh) ;;
      *) continue ;;
    esac
    # A process that has ended and was not waited for has neither of these.
    grep -qa gpueig-worker "$process/cmdline" || continue
    tr '\0' '\n' <"$process/environ" | grep -qx "GPUEIG_TEST_MARK=$TMPDIR" && echo "${process#/proc/}"
  done 2>/dev/null
}

# Wait until CONDITION, some minutes at most.
wait_until ()
{
  ticks=0
  until eval "$1"; do
    ticks=$((ticks + 1))
    [ $ticks -lt 3000 ] || return 1
    sleep 0.1
  done
}

# What sessions leave, where all their files are.
left ()
{
  find "$TMPDIR" -mindepth 1 ! -path "$out" ! -path "$TMPDIR/shared"
}

# Files of own processes in memory that all processes of this machine share.
elsewhere ()
{
  for process in $(own_processes); do
    grep -h '/dev/shm/' "/proc/$process/maps"
  done 2>/dev/null
}

# start CODE: an Octave in the background, whose workers are in the middle.
start ()
{
  : >"$out"
  "$octave" --norc --no-history --path "$build/inst" --path tests/octave --eval "$1" >"$out" 2>&1 &
  pid=$!
  wait_until "grep -q '^read' $out"
}

long="A = sin ((1:4000)' * (1:4000)); A += A';"
call='gpu_eig (A, "Backend", "mpi", "Workers", 2, "Display", "iter");'

# --- Ctrl-C -----------------------------------------------------------------------

start "$long
  finished = false;
  unwind_protect
    [V, D] = $call
    finished = true;
  unwind_protect_cleanup
    printf ('stopped %d\n', ! finished);
    fflush (stdout);
    x = gpu_eig ([2 1; 1 2], 'Backend', 'mpi', 'Workers', 2);
    printf ('next %g\n', norm (x - [1; 3]) < 1e-14);
    fflush (stdout);
  end_unwind_protect"
check "$([ "$(own_processes | wc -l)" -ge 3 ]; echo $?)" "workers run: $(tail -n 2 "$out")"
check "$([ -z "$(elsewhere)" ]; echo $?)" "shared memory outside of the session's folder: $(elsewhere)"
running=$(own_processes)
kill -INT $pid
wait_until "grep -q '^stopped 1' $out"
check $? "Ctrl-C stops the call"
# A process that does not get a processor within a second is not waited for by the call.
gone=:
for process in $running; do
  gone="$gone && ! grep -qa . /proc/$process/cmdline 2>/dev/null"
done
wait_until "$gone"
check $? "$(echo $running) end after Ctrl-C: $(own_processes)"
wait $pid 2>/dev/null
grep -qx 'next 1' "$out"
check $? "the call after Ctrl-C: $(tail -n 3 "$out")"
check "$([ -z "$(left)" ]; echo $?)" "Ctrl-C leaves $(left)"

# --- Octave is killed ---------------------------------------------------------------

GPUEIG_SCRATCH=$TMPDIR/shared
mkdir "$GPUEIG_SCRATCH"
export GPUEIG_SCRATCH
start "$long [V, D] = $call"
check "$([ -z "$(elsewhere)" ]; echo $?)" "with a scratch folder, shared memory outside of the session's folder: $(elsewhere)"
kill -9 $pid
wait $pid 2>/dev/null
wait_until '[ -z "$(own_processes)" ] && [ -z "$(left)" ]'
check $? "the workers of a killed Octave end; left: $(own_processes) $(left)"
unset GPUEIG_SCRATCH

# --- SIGTERM, and a killed supervisor -------------------------------------------------

start "sigterm_dumps_octave_core (false); $long [V, D] = $call"
kill -TERM $pid
wait $pid 2>/dev/null
wait_until '[ -z "$(own_processes)" ] && [ -z "$(left)" ]'
check $? "its workers end after SIGTERM; left: $(own_processes) $(left)"

# Octave and the supervisor are killed at once; the next session removes their folders.
GPUEIG_SCRATCH=$TMPDIR/shared
export GPUEIG_SCRATCH
start "$long [V, D] = $call"
supervisor=$(pgrep -P $pid -x gpueig-worker)
kill -9 $pid $supervisor
wait $pid 2>/dev/null
wait_until '[ -z "$(own_processes)" ]'
check $? "all processes of a killed supervisor end; left: $(own_processes)"
check "$([ -n "$(left)" ]; echo $?)" "a killed supervisor leaves its folder"
unset GPUEIG_SCRATCH
# Folders of other programs may have such names, and files of the same name inside.
theirs=$(mktemp -d "$TMPDIR/gpueig-XXXXXX")
bare=$(mktemp -d "$TMPDIR/gpueig-XXXXXX")
mkdir "$TMPDIR/kept"
printf '%s\0' "$TMPDIR/kept" >"$theirs/leftovers"
# Young folders may be those of a session that begins.
find "$TMPDIR" -maxdepth 1 -name 'gpueig-??????' -user "$(id -u)" -exec touch -d '1 hour ago' {} \; 2>/dev/null
start "x = gpu_eig ([2 1; 1 2], 'Backend', 'mpi', 'Workers', 2), puts (\"read\\n\");"
wait $pid
check "$([ -s "$theirs/leftovers" ] && [ -d "$bare" ] && [ -d "$TMPDIR/kept" ]; echo $?)" "the next session leaves folders of others"
rm -rf "$theirs" "$bare" "$TMPDIR/kept"
check "$([ -z "$(left)" ] && [ -z "$(ls "$TMPDIR/shared")" ]; echo $?)" "the next session cleans up: $(left) $(ls "$TMPDIR/shared")"

# --- no room for V, and the command line ---------------------------------------------------

small=$TMPDIR/small
mkdir "$small"
head -c 320000 /dev/zero >"$TMPDIR/A.bin"
command_line=$(printf "$GPUEIG_LAUNCH" 1)
if mount -t tmpfs -o size=128k none "$small" 2>/dev/null; then
  $command_line "$worker" --n 200 "$TMPDIR/A.bin" "$small/V.bin" "$small/lambda.bin" >"$out" 2>&1
  check "$([ $? != 0 ] && grep -q 'MiB are free there' "$out"; echo $?)" "no room for V: $(head -n 2 "$out")"
  check "$([ -z "$(ls "$small")" ]; echo $?)" "no room for V leaves $(ls "$small")"
  umount "$small"
else
  skip "no small file system can be mounted"
fi
$command_line "$worker" --n 200 "$TMPDIR/A.bin" "$small/V.bin" "$small/lambda.bin" >"$out" 2>&1
check "$([ $? = 0 ] && [ "$(ls "$small" | tr '\n' ' ')" = 'V.bin lambda.bin ' ]; echo $?)" "the command line: $(head -n 2 "$out")"
check "$([ "$(wc -c <"$small/V.bin")" = 320000 ] && [ "$(wc -c <"$small/lambda.bin")" = 1600 ]; echo $?)" "sizes of V and lambda"
# Temporary names are no files of the user.
cp "$TMPDIR/A.bin" "$small/x.part"
cp "$TMPDIR/A.bin" "$small/x"
$command_line "$worker" --n 200 "$small/x.part" "" "$small/x" >"$out" 2>&1
check "$([ $? = 0 ] && cmp -s "$TMPDIR/A.bin" "$small/x.part" && [ "$(wc -c <"$small/x")" = 1600 ]; echo $?)" "lambda x beside the input x.part: $(head -n 2 "$out")"

finish
