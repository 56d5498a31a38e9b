#!/bin/sh
# What Dockerfile and gpueig.def run, as root in Debian 13, in the folder of this file:
#   container.sh repository   makes NVIDIA's packages known to apt
#   container.sh build        the Debian packages from the source package
#   container.sh install      these, Octave and the libraries of CUDA
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

set -e
cd "$(dirname "$0")"
cuda=13-1
export DEBIAN_FRONTEND=noninteractive

get ()
{
  apt-get update -q
  apt-get install -y -q --no-install-recommends "$@"
}

case $1 in
  repository)
    get ca-certificates wget
    wget -nv https://developer.download.nvidia.com/compute/cuda/repos/debian13/x86_64/cuda-keyring_1.1-1_all.deb
    dpkg -i cuda-keyring_1.1-1_all.deb
    rm cuda-keyring_1.1-1_all.deb
    ;;
  build)
    get dpkg-dev
    # A toolkit that is there already is taken as it is.
    [ -x /usr/local/cuda/bin/nvcc ] || get cuda-nvcc-$cuda cuda-cudart-dev-$cuda libcublas-dev-$cuda \
      libcusolver-dev-$cuda libcusparse-dev-$cuda
    apt-get build-dep -y -q --no-install-recommends ./octave-gpueig_*.dsc
    dpkg-source -x octave-gpueig_*.dsc source
    cd source
    dpkg-buildpackage -b -us -uc
    dpkg-buildpackage -b -us -uc -Ppkg.octave-gpueig.cuda
    ;;
  install)
    get ./octave-gpueig_*.deb ./octave-gpueig-cuda_*.deb libopenblas0
    rm -rf /var/lib/apt/lists/*
    octave-cli --eval "pkg load gpueig; gpu_info; assert (gpu_eig ([2 1; 1 2]), [1; 3], 1e-14)"
    ;;
  *)
    echo "usage: container.sh repository|build|install" >&2
    exit 2
    ;;
esac
