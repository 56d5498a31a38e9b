## The bits of the results of all sample_calls, or of those of the function NAME, as a text.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function text = sample_bits (name = "")
  text = "";
  calls = sample_calls ();
  for call = calls(isempty (name) | strcmp ({calls.name}, name))
    out = sample_run (call);
    for x = cellfun (@full, out(1:end-1), "UniformOutput", false)
      bytes = typecast ([real(x{1}(:)); imag(x{1}(:))], "uint8");
      text = hash ("md5", [text, char(bytes)']);
    endfor
  endfor
endfunction
