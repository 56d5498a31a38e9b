#!/bin/sh
# Claims about processes of the backend "mpi": Ctrl-C ends them all and the next call is
# right; they end with an Octave that is killed, and neither ending leaves a process, a
# folder or shared memory; no room for V is found before the work; the command line does the
# same without Octave.  With GPUEIG_TEST_LONG: all this within a second; Octave's own memory
# grows by no more than two matrices; a call costs little more than its engine; a file of
# order 8000 in bounded memory, or of the order that GPUEIG_TEST_MPI_ORDER says.
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

# long run: seconds; where other programs share the processors, as much longer as they make
# us wait.  Else what does not end is a failure.
load=$(awk -v n="$(nproc)" '{ x = $1 / n; print (x > 1 ? x : 1) }' /proc/loadavg 2>/dev/null || echo 1)
limit=$(awk "BEGIN { print 1.0 * ${load:-1} }")
[ -n "${GPUEIG_TEST_LONG:-}" ] || limit=300

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

# Wait until CONDITION, at most SECONDS; prints how long.
wait_until ()
{
  begin=$(date +%s%N)  # long run
  until eval "$1"; do
    now=$(date +%s%N)  # long run
    [ $(((now - begin) / 1000000000)) -lt "$2" ] || { echo 999; return; }
    sleep 0.02
  done
  now=$(date +%s%N)  # long run
  awk "BEGIN { print ($now - $begin) / 1e9 }"
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
  wait_until "grep -q '^read' $out" 300 >/dev/null
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
seconds=$(wait_until "grep -q '^stopped 1' $out" 300)
awk "BEGIN { exit ! ($seconds <= $limit) }"
check $? "Ctrl-C took $seconds s, $limit are allowed"
# A process that does not get a processor within a second is not waited for by the call.
gone=:
for process in $running; do
  gone="$gone && ! grep -qa . /proc/$process/cmdline 2>/dev/null"
done
seconds=$(wait_until "$gone" 300)
awk "BEGIN { exit ! ($seconds <= $limit) }"
check $? "the last of $(echo $running) ended $seconds s after Ctrl-C had stopped the call"
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
seconds=$(wait_until '[ -z "$(own_processes)" ] && [ -z "$(left)" ]' 300)
awk "BEGIN { exit ! ($seconds <= 2 * $limit) }"
check $? "the workers of a killed Octave end after $seconds s; left: $(own_processes) $(left)"
unset GPUEIG_SCRATCH

# --- SIGTERM, and a killed supervisor -------------------------------------------------

start "sigterm_dumps_octave_core (false); $long [V, D] = $call"
kill -TERM $pid
seconds=$(wait_until "grep -q '^State:.Z' /proc/$pid/status 2>/dev/null" 300)
awk "BEGIN { exit ! ($seconds <= 2 * $limit) }"
check $? "SIGTERM ends Octave after $seconds s, $limit are allowed twice"
wait $pid 2>/dev/null
seconds=$(wait_until '[ -z "$(own_processes)" ] && [ -z "$(left)" ]' 300)
awk "BEGIN { exit ! ($seconds <= 2 * $limit) }"
check $? "its workers end after $seconds s; left: $(own_processes) $(left)"

# Octave and the supervisor are killed at once; the next session removes their folders.
GPUEIG_SCRATCH=$TMPDIR/shared
export GPUEIG_SCRATCH
start "$long [V, D] = $call"
supervisor=$(pgrep -P $pid -x gpueig-worker)
kill -9 $pid $supervisor
wait $pid 2>/dev/null
seconds=$(wait_until '[ -z "$(own_processes)" ]' 300)
awk "BEGIN { exit ! ($seconds <= 10 * $limit) }"
check $? "all processes of a killed supervisor end after $seconds s; left: $(own_processes)"
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
# Temporary names are no files of the user; no output is an input or the other output.
cp "$TMPDIR/A.bin" "$small/x.part"
cp "$TMPDIR/A.bin" "$small/x"
$command_line "$worker" --n 200 "$small/x.part" "" "$small/x" >"$out" 2>&1
check "$([ $? = 0 ] && cmp -s "$TMPDIR/A.bin" "$small/x.part" && [ "$(wc -c <"$small/x")" = 1600 ]; echo $?)" "lambda x beside the input x.part: $(head -n 2 "$out")"
ln "$small/x.part" "$small/hard"
for files in "hard V.bin" "V.bin hard" "V.bin ./V.bin" "new new" "lambda.bin V.bin/"; do
  before=$(ls -l "$small")
  (cd "$small" && $command_line "$worker" --n 200 x.part $files) >"$out" 2>&1
  check "$([ $? != 0 ] && [ "$(ls -l "$small")" = "$before" ]; echo $?)" "the results $files are refused: $(head -n 1 "$out")"
done

# --- long run: memory and time ---------------------------------------------------------------

order=${GPUEIG_TEST_MPI_ORDER:-8000}
if [ -n "${GPUEIG_TEST_LONG:-}" ]; then
  "$octave" --norc --no-history --path "$build/inst" --eval "
    function kib = peak ()
      kib = str2double (regexp (fileread ('/proc/self/status'), 'VmHWM:\s*(\d+)', 'tokens'){1}{1});  # long run
    endfunction
    n = 1500;
    A = sin ((1:n)' * (1:n));
    A += A';
    V = zeros (n);
    V(:) = 1;
    start = tic ();  # long run
    gpu_eig ([2 1; 1 2], 'Backend', 'mpi', 'Workers', 2);
    launch = toc (start);  # long run
    before = peak ();
    clear V;
    start = tic ();  # long run
    [V, D, W, info] = gpu_eig (A, 'Backend', 'mpi', 'Workers', 2);
    whole = toc (start);  # long run
    printf ('memory %g\n', (peak () - before) * 1024 / (8 * n^2));
    printf ('time %g %g %g\n', whole, info.time.solve, launch);" >"$out" 2>&1
  awk '/^memory/ { found = 1; bad = $2 > 2 } END { exit ! found || bad }' "$out"
  check $? "Octave's memory beside A and V in units of A, 2 are allowed: $(grep memory "$out")"
  awk -v load="${load:-1}" '/^time/ { found = 1; bad = $2 > 1.1 * $3 + $4 + 0.5 * load } END { exit ! found || bad }' "$out"
  check $? "the whole call, its engine, and a small call, in seconds: $(cat "$out")"
  echo "count: 1 call of order 1500, its engine and a small call take, in seconds: $(sed -n 's/^time //p' "$out")"

  # A large file.
  "$octave" --norc --no-history --path "$build/inst" --eval "
    n = $order;
    a = '$TMPDIR/A.bin';
    v = '$TMPDIR/V.bin';
    ## By columns: the matrix never is in memory.
    f = fopen (a, 'w');
    for j = 1:n
      fwrite (f, sin ((1:n)' * j), 'double');
    endfor
    fclose (f);
    start = tic ();  # long run
    lambda = gpu_eig_file (a, v, n, 'Workers', 2);
    printf ('seconds %.1f\n', toc (start));  # long run
    ## Some columns of the residual.
    f = fopen (v);
    g = fopen (a);
    k = [1, round(n/2), n];
    for i = 1:3
      fseek (f, 8 * n * (k(i) - 1), SEEK_SET);
      V(:,i) = fread (f, n, 'double');
    endfor
    AV = zeros (n, 3);
    one = 0;
    for j = 1:n
      column = fread (g, n, 'double');
      one = max (one, norm (column, 1));
      AV += column * V(j,:);
    endfor
    ratio = norm (AV - V .* lambda(k).', 1) / (one * n * eps);
    printf ('ratio %g\n', ratio);
    printf ('memory %g\n', str2double (regexp (fileread ('/proc/self/status'), 'VmHWM:\s*(\d+)', 'tokens'){1}{1}) / 1024);  # long run
" >"$out" 2>&1
  awk '/^ratio/ { found = 1; bad = $2 > 10 } END { exit ! found || bad }' "$out"
  check $? "a file of order $order: $(tail -n 3 "$out")"
  awk '/^memory/ { found = 1; bad = $2 > 400 } END { exit ! found || bad }' "$out"
  check $? "Octave's memory, 400 MiB are allowed: $(grep memory "$out")"
  echo "count: 1 file of order $order: $(tr '\n' ' ' <"$out")"
else
  skip "memory, times and a large file take minutes: set GPUEIG_TEST_LONG"
fi
finish
