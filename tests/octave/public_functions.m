## The names of the functions of gpueig that take a matrix.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function names = public_functions ()
  files = glob (fullfile (fileparts (which ("gpu_info")), "gpu_*.m"));
  [~, names] = cellfun (@fileparts, files, "UniformOutput", false);
  names = setdiff (names, {"gpu_info", "gpu_eig_file", "gpu_array", "gpu_replace", "gpu_tune"})(:).';
endfunction
