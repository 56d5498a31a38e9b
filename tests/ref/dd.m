## Double-double arithmetic for references, element by element with broadcasting:
## AH + AL and BH + BL are the operands, OP is
## "+", "-", "*", "/", "sqrt" (of the first),
## or "sum" (of the first, over its rows).  Some 30 digits; Dekker (1971),
## without fused operations, so products must stay below 1e300 and above 1e-270.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function [h, l] = dd (op, ah, al, bh, bl)
  switch (op)
    case "+"
      [h, l] = add (ah, al, bh, bl);
    case "-"
      [h, l] = add (ah, al, -bh, -bl);
    case "*"
      [h, l] = mul (ah, al, bh, bl);
    case "/"
      q = ah ./ bh;
      [ph, pl] = mul (bh, bl, q, 0);
      [rh, rl] = add (ah, al, -ph, -pl);
      [h, l] = quick (q, (rh + rl) ./ bh);
      [ph, pl] = mul (bh, bl, h, l);
      [rh, rl] = add (ah, al, -ph, -pl);
      [h, l] = quick (h, l + (rh + rl) ./ bh);
    case "sqrt"
      s = sqrt (ah);
      [ph, pl] = mul (s, 0, s, 0);
      [rh, rl] = add (ah, al, -ph, -pl);
      [h, l] = quick (s, (rh + rl) ./ (2 * s + (s == 0)));
    case "sum"
      while (rows (ah) > 1)
        half = floor (rows (ah) / 2);
        odd = 2 * half + 1 : rows (ah);
        [sh, sl] = add (ah(1:half,:), al(1:half,:), ah(half+1:2*half,:),
                        al(half+1:2*half,:));
        ah = [sh; ah(odd,:)];
        al = [sl; al(odd,:)];
      endwhile
      h = ah;
      l = al;
  endswitch
endfunction

function [h, l] = quick (a, b)
  h = a + b;
  l = b - (h - a);
endfunction

function [h, l] = add (ah, al, bh, bl)
  s = ah + bh;
  v = s - ah;
  e = (ah - (s - v)) + (bh - v);
  t = al + bl;
  v = t - al;
  f = (al - (t - v)) + (bl - v);
  [s, e] = quick (s, e + t);
  [h, l] = quick (s, e + f);
endfunction

function [h, l] = mul (ah, al, bh, bl)
  p = ah .* bh;
  [a1, a2] = halves (ah);
  [b1, b2] = halves (bh);
  e = ((a1 .* b1 - p) + a1 .* b2 + a2 .* b1) + a2 .* b2;
  [h, l] = quick (p, e + (ah .* bl + al .* bh));
endfunction

## Split A into two numbers of at most 26 bits (Dekker, Veltkamp).
function [h, l] = halves (a)
  t = 134217729 * a;
  h = t - (t - a);
  l = a - h;
endfunction
