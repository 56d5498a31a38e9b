#!/bin/sh
# Builds gpueig and runs its main job on real data: kernel PCA of 1797
# handwritten digits by gpu_eig and by eig.  Nothing has to be installed before.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

cd "$(dirname "$0")/.." || exit 1
. tests/setup.sh
mkdir -p "$build/demos"
octave-cli --norc --no-history --no-window-system --path "$build/inst" --path demos \
  --eval "demo_kernel_pca ('$build/demos/kernel_pca.png')"
