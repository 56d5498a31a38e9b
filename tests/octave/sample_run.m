## The outputs of a call of sample_calls as a cell row.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function out = sample_run (call)
  out = cell (1, call.nout);
  [out{:}] = feval (call.name, call.args{:});
endfunction
