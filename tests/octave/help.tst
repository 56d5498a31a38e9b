## Claims: every public function has a help text that Octave renders, with its
## calling forms, all options and methods that it takes, the errors that it
## raises, its accuracy, a citation of its method, references that exist,
## examples whose printed results are true, and a demo; it has at most a hundred
## lines.  The examples of README and of the manual run, with the results that they print.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

%!function names = every_function ()
%!  files = glob (fullfile (fileparts (which ("gpu_info")), "g*.m"));
%!  [~, names] = cellfun (@fileparts, files', "UniformOutput", false);
%!endfunction

%!function text = raw_help (name)
%!  [text, format] = get_help_text (name);
%!  assert (strcmp (format, "texinfo"), "%s: help is of format %s", name, format);
%!endfunction

## The help is rendered without warnings of makeinfo.
%!test
%! for name = every_function ()
%!   text = evalc (["help " name{1}]);
%!   assert (numel (text) > 500, "%s: the help is short", name{1});
%!   assert (isempty (regexp (text, "\\.texi:|-:\\d+:|misplaced", "once")), "%s: makeinfo complains: %s", name{1}, text(1:min (end, 400)));
%!   assert (isempty (strfind (text, "exited abnormally")), "%s: makeinfo fails", name{1});
%!   assert (isempty (strfind (text, "@deftypefn")) && ! isempty (strfind (text, [" " name{1}])));
%!   lines = numel (strfind (regexprep (text, "\nAdditional help.*", ""), "\n"));
%!   assert (lines <= 100, "%s: the help has %d lines", name{1}, lines);
%!   ## What lookfor prints: a sentence after the calling forms.
%!   assert (! isempty (regexp (text, '\n     \S.*?[.]\s', "once")), "%s: no sentence", name{1});
%! endfor

## Parts that every help text must have.
%!test
%! for name = public_functions ()
%!   text = raw_help (name{1});
%!   for part = {"@deftypefn ", "@deftypefnx", "@seealso{", "@example", "@result{}", "ccuracy", "rrors", "Octave:invalid-fun-call"}
%!     assert (! isempty (strfind (text, part{1})), "%s: the help has no %s", name{1}, part{1});
%!   endfor
%!   assert (! isempty (regexp (text, "(19|20)\\d\\d")) || strcmp (name{1}, "gpu_eig"), "%s: the help cites nothing", name{1});
%!   ## Errors that its own tests provoke, options and methods that the parser accepts.
%!   ids = regexp (fileread (which (name{1})), "%!error id=(\\S+)", "tokens");
%!   for id = unique ([ids{:}])
%!     assert (! isempty (strfind (text, id{1})), "%s: the help does not have %s", name{1}, id{1});
%!   endfor
%!   [methods, options] = words_of (name{1});
%!   assert (! isempty (methods) && ! isempty (options), "%s: no list in the error", name{1});
%!   for word = [options, methods]
%!     assert (! isempty (strfind (lower (text), ["\"" word{1} "\""])), "%s: the help does not have \"%s\"", name{1}, word{1});
%!   endfor
%! endfor

## @seealso names what there is.
%!test
%! for name = every_function ()
%!   names = regexp (raw_help (name{1}), "@seealso\\{([^}]*)\\}", "tokens"){1}{1};
%!   for other = strtrim (strsplit (names, ","))
%!     assert (any (exist (other{1}) == [2 3 5]), "%s: @seealso has %s, which is no function", name{1}, other{1});
%!   endfor
%! endfor

%!function backend = as_users ()
%!  ## Without a named backend: some functions are on the CPU only.
%!  old = getenv ("GPUEIG_BACKEND");
%!  backend = onCleanup (@() setenv ("GPUEIG_BACKEND", old));
%!  setenv ("GPUEIG_BACKEND", "auto");
%!endfunction

%!function count = run_examples (text)
%!  ## Runs every @example of TEXT.  A @result{} is an expression that the value of the
%!  ## statement before it must equal, to the digits of a printed result; @print{} is
%!  ## what is printed, but for numbers, without a GPU.
%!  count = 0;
%!  blocks = regexp (text, "@example\n(.*?)@end example", "tokens");
%!  before = "";
%!  for b = 1:numel (blocks)
%!    lines = strsplit (blocks{b}{1}, "\n");
%!    code = wanted = "";
%!    for i = 1:numel (lines)
%!      line = strtrim (lines{i});
%!      line = strrep (strrep (strrep (line, "@{", "{"), "@}", "}"), "@@", "@");
%!      if (isempty (line) || any (strcmp (line, {"@group", "@end group"})))
%!        continue;
%!      elseif (strncmp (line, "@result{}", 9))
%!        check_example ([before, code], line(10:end));
%!        count += 1;
%!      elseif (strncmp (line, "@print{}", 8))
%!        wanted = [wanted, strtrim(line(9:end)), "\n"];
%!      else
%!        code = [code, line, "\n"];
%!      endif
%!    endfor
%!    ## An example may go on with the variables of the ones before.
%!    before = [before, code];
%!    printed = run_code (before);
%!    if (! isempty (wanted) && ! canUseGPU ())
%!      masked = @(s) regexprep (s, '\d+\.\d+', "0");
%!      assert (! isempty (strfind (masked (printed), masked (wanted))),
%!              "printed is\n%snot\n%s", printed, wanted);
%!      count += 1;
%!    endif
%!  endfor
%!endfunction

%!function doc_printed = run_code (doc_code)
%!  doc_printed = evalc (doc_code);
%!endfunction

%!function check_example (doc_code, doc_expected)
%!  ## Variables of the example live here: long names for ours.
%!  doc_lines = strsplit (strtrim (doc_code), "\n");
%!  doc_wanted = eval (doc_expected);
%!  if (! isempty (doc_lines(1:end-1)))
%!    evalc (strjoin (doc_lines(1:end-1), "\n"));
%!  endif
%!  doc_last = regexprep (doc_lines{end}, "^\\s*[\\w]+\\s*=\\s*", "");
%!  doc_last = regexprep (doc_last, ";?\\s*(#.*)?$", "");
%!  doc_got = eval (doc_last);
%!  if (isnumeric (doc_wanted))
%!    assert (full (doc_got), doc_wanted, 1e-4 * max ([abs(doc_wanted(:)); 1e-3]));
%!  else
%!    assert (doc_got, doc_wanted);
%!  endif
%!endfunction

%!test
%! total = 0;
%! backend = as_users ();
%! for name = every_function ()
%!   ## gpu_tune measures for as long as its example says.
%!   if (! strcmp (name{1}, "gpu_tune"))
%!     count = run_examples (raw_help (name{1}));
%!     assert (count > 0 || any (strcmp (name{1}, {"gpu_info", "gpu_eig_file", "gpuDevice"})), "%s: no example with a result", name{1});
%!     total += count;
%!   endif
%! endfor
%! report_count ("examples of help texts run and compared", total);

## The manual, chapter by chapter, and README, where they are.
%!testif ; exist (fullfile (fileparts (which ("run_octave")), "..", "..", "README.md"), "file")
%! backend = as_users ();
%! root = fullfile (fileparts (which ("run_octave")), "..", "..");
%! chapters = strsplit (fileread (fullfile (root, "doc", "gpueig.texi")), "\n@node ");
%! total = 0;
%! for chapter = chapters
%!   total += run_examples (chapter{1});
%! endfor
%! assert (total >= 10);
%! blocks = regexp (fileread (fullfile (root, "README.md")), "```octave\n(.*?)```", "tokens");
%! assert (! isempty (blocks));
%! for block = blocks
%!   run_code (strrep (block{1}{1}, "pkg load gpueig", ""));
%! endfor
%! report_count ("results of the manual's examples compared", total);

%!function drawn = run_demo (demo_code)
%!  eval (demo_code);
%!  drawn = ! isempty (get (0, "children"));
%!  close all;
%!endfunction

## Every function has a demo, which prints or draws something.
%!test
%! backend = as_users ();
%! set (0, "defaultfigurevisible", "off");
%! folder = fileparts (which ("gpu_info"));
%! count = 0;
%! unwind_protect
%!   for file = glob (fullfile (folder, "g*.m"))'
%!     [~, name] = fileparts (file{1});
%!     [code, first] = test (file{1}, "grabdemo");
%!     assert (numel (first) > 1, "%s: no demo", name);
%!     for i = 1:numel (first) - 1
%!       demo_code = code(first(i):first(i+1)-1);
%!       if (isempty (available_graphics_toolkits ()) && ! isempty (regexp (demo_code, "plot|surf|contour|axis|bar \\(|imagesc|semilog")))
%!         continue;
%!       elseif (strcmp (name, "gpu_eig_file")
%!               && ! (gpu_info ().mpi && ! isempty (getenv ("GPUEIG_LAUNCH"))))
%!         continue;   # as its own test
%!       endif
%!       text = evalc ("drawn = run_demo (demo_code);");
%!       assert (drawn || numel (text) > 10, "%s: the demo shows nothing", name);
%!       count += 1;
%!     endfor
%!   endfor
%! unwind_protect_cleanup
%!   set (0, "defaultfigurevisible", "on");
%! end_unwind_protect
%! report_count ("demos run", count);
