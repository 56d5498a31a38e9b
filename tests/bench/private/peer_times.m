## CuPy's seconds of the "operations" or "programs" with these NAMES, NaN without CuPy.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function seconds = peer_times (kind, n, names)
  script = fullfile (fileparts (mfilename ("fullpath")), "..", "peers.py");
  [~, text] = system (sprintf ("python3 '%s' %s %d 2>/dev/null", script, kind, n));
  for k = numel (names):-1:1
    found = regexp (text, ["^" names{k} ",(\\S+)$"], "tokens", "once", "lineanchors");
    seconds(k) = str2double ([found, {"NaN"}]{1});
  endfor
endfunction
