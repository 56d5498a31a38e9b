## Claims: the demos of gpu_array run where there is no display, small; the field converges,
## with arrays and without them to the same density; the script gives the results that it
## gave before the line was added; that of gpu_svd takes most of the noise away; page functions
## solve their systems; gpu_replace changes no eigenvalue, and is off afterwards.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function folder = demos ()
%!  folder = fullfile (fileparts (which ("run_octave")), "..", "..", "demos");
%!endfunction

%!function has = has_gnuplot ()
%!  has = system ("command -v gnuplot >/dev/null 2>&1") == 0;
%!endfunction

## CALL gets the name of a picture, which it makes.
%!function [x, text] = with_picture (call)
%!  picture = [tempname(), ".png"];
%!  unwind_protect
%!    text = evalc ("x = call (picture);");
%!    id = fopen (picture);
%!    assert (fread (id, 4)', [137, double("PNG")]);
%!    fclose (id);
%!  unwind_protect_cleanup
%!    delete (picture);
%!  end_unwind_protect
%!endfunction

%!shared restore
%! addpath (demos ());
%! restore = onCleanup (@() rmpath (demos ()));

%!testif ; has_gnuplot ()
%! [change, text] = with_picture (@(file) demo_arrays (file, 64, 25));
%! assert (change > 0 && change < 1e-4);
%! difference = regexp (text, 'difference[^\n0-9]*([0-9.e+-]+)', "tokens", "once");
%! assert (str2double (difference{1}) < 1e-10);

%!testif ; has_gnuplot ()
%! errors = with_picture (@demo_movie);
%! assert (errors(1) < 0.3 * errors(2));

%!test
%! text = evalc ("errors = demo_same_script (40);");
%! assert (max (errors) < 1e-10);
%! share = regexp (text, 'share of ten[^\n0-9]*([0-9.]+) +([0-9.]+)', "tokens", "once");
%! assert (str2double (share{1}), str2double (share{2}), 1e-7);

%!testif ; has_gnuplot ()
%! residual = with_picture (@(file) demo_pages (file, 50));
%! assert (residual < 1e-10);

%!testif ; has_gnuplot ()
%! difference = with_picture (@(file) demo_replace (file, 200));
%! assert (difference < 1e-12);
%! assert (gpu_replace (), "off");
