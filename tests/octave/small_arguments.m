## The shortest valid arguments of a public function, in a cell row.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function args = small_arguments (name)
  args = {[2 1; 1 2]};
  if (strcmp (name, "gpu_tdinv"))
    args = {1, [4; 5], 1};
  elseif (strcmp (name, "gpu_ordschur"))
    args = {1, 1, 1};
  elseif (strcmp (name, "gpu_mpower"))
    args{2} = 0.5;
  endif
endfunction
