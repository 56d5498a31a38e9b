#!/bin/sh
# Builds gpueig and runs an example on real data: kernel PCA of 1797 handwritten digits
# by gpu_eig and by eig.  gpueig need not be installed.  The CUDA backend is built where there
# is a GPU: it takes most of the time.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/.." || exit 1
build_options=-DGPUEIG_CUDA=GPU
. tests/setup.sh
mkdir -p "$build/demos"
octave-cli --norc --no-history --no-window-system --path "$build/inst" --path demos \
  --eval "demo_kernel_pca ('$build/demos/kernel_pca.png')"
