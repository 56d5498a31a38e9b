# Sourced by tests/run.sh and demos/quickstart.sh, in the root of the project:
# installs what is missing (Debian packages), configures and builds; build_options are CMake's.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

build=${GPUEIG_BUILD:-build}
# With these the library can be compiled, while the others are installed.
tools='liblapack-dev libopenblas0 gcc g++ make cmake'
packages="$tools octave octave-dev gnuplot-nox ghostscript fonts-freefont-otf
          openmpi-bin libscalapack-mpi-dev libelpa-dev"
# What check_lapack.sh wants; not for demos/quickstart.sh.
[ -n "${build_options:-}" ] || packages="$packages liblapack-test python3-numpy"
# What the longer checks want, see tests/check_static.sh and check_sanitizers.sh.
[ -z "${CI:-}${GPUEIG_TEST_LONG:-}" ] || packages="$packages texinfo cppcheck clang clang-tidy clang-format"
# What check_cross.sh wants, which are packages of x86-64.
case ${GPUEIG_TEST_CROSS:-}${GPUEIG_TEST_LONG:-}$(uname -m) in
  ?*x86_64) packages="$packages gcc-aarch64-linux-gnu g++-mingw-w64-x86-64-posix wine64 python3-pip" ;;
esac
case ${CC:-} in *clang*) packages="$packages clang libomp-dev" ;; esac

say ()
{
  printf '%s\n' "$*"
}

# missing PACKAGE...: prints those that are not installed.
missing ()
{
  for package; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf ' %s' "$package" ;;
    esac
  done
}

# get COMMAND ...: apt-get as root.
get ()
{
  $sudo apt-get -q "$@" >>"$log" 2>&1 && return
  tail -n 20 "$log"
  say "apt-get failed; the packages needed are: $packages"
  exit 1
}

install_packages ()
{
  command -v apt-get >/dev/null || return 0
  # shellcheck disable=SC2086
  missing=$(missing $packages)
  [ -n "$missing" ] || return 0
  sudo=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "These packages are missing, and there is no sudo to install them:$missing"
      exit 1
    fi
    sudo=sudo
  fi
  say "Installing$missing ..."
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  get update
  # shellcheck disable=SC2046,SC2086
  get install -y --no-install-recommends $(missing $tools)
  # shellcheck disable=SC2086
  get install -y --no-install-recommends $missing &
  build_here >/dev/null 2>&1
  wait $! || exit 1
  rm -f "$log"
}

# What can be built with the packages that are there.
build_here ()
{
  # Half the time where no GPU is going to run it: CI without a GPU.  Warnings are errors
  # there, not on a machine with a compiler that nobody has tried.
  architectures=
  errors=
  if [ -n "${CI:-}" ]; then
    errors=-DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    command -v nvidia-smi >/dev/null || architectures=-DCMAKE_CUDA_ARCHITECTURES=90
  fi
  # The tests build all that can be built, also after demos/quickstart.sh in this folder.
  if [ -z "${build_options:-}" ] && grep -qs '^GPUEIG_CUDA:.*=GPU$' "$build/CMakeCache.txt"; then
    build_options=-DGPUEIG_CUDA=AUTO
  fi
  cmake -S . -B "$build" $architectures $errors ${build_options:-} && cmake --build "$build" -j "$(nproc)"
}

build_all ()
{
  log=$build/build.log
  mkdir -p "$build"
  say "Building in $build ..."
  if ! build_here >"$log" 2>&1; then
    tail -n 40 "$log"
    say "The build failed; the whole log is $log"
    exit 1
  fi
  grep -h '^-- CUDA:\|^-- Octave:' "$log" | sed 's/^-- /  /'
}

install_packages
build_all
