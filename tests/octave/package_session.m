## What tests/check_package.sh does in Octave: install the package that argument
## 1 names under the folder of argument 2, use it, and remove it.  Argument 3 is
## "cuda" if its CUDA plugin must be there.
## Prints "FAIL: claim" and at the end a line "N passed, N failed, N skipped".
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

1;

function check (condition, claim)
  global passed failed
  if (condition)
    passed += 1;
  else
    failed += 1;
    printf ("FAIL: %s\n", claim);
  endif
endfunction

global passed failed
passed = failed = 0;
package = argv (){1};
folder = argv (){2};
cuda = strcmp (argv (){3}, "cuda");
has = @(text, part) ! isempty (strfind (text, part));
path_before = path ();

pkg ("prefix", fullfile (folder, "packages"), fullfile (folder, "binaries"));
pkg ("local_list", fullfile (folder, "local_list"));
pkg ("global_list", fullfile (folder, "global_list"));

text = evalc (sprintf ("pkg install '%s'", package));
check (isempty (regexp (text, "error|shadows", "ignorecase")), ["pkg install says: " text]);
list = pkg ("list", "gpueig");
check (numel (list) == 1 && ! list{1}.loaded, "pkg list has the package");
pkg ("load", "gpueig");
installed = fileparts (which ("gpu_eig"));
check (strncmp (installed, folder, numel (folder)), "pkg load finds gpu_eig");
check (norm (gpu_eig ([2 1; 1 2]) - [1; 3]) < 1e-14, "gpu_eig works");
check (exist ("__gpueig_raise__") == 0, "private functions stay private");
check (isa (zeros (2, "gpuArray"), "gpuArray") && isa (gpuArray.ones (2), "gpuArray"), "arrays by name");

info = gpu_info ();
check (strcmp (info.version, list{1}.version),
       sprintf ("gpu_info says version %s, pkg %s", info.version,
                list{1}.version));
## A plugin that was installed loads: only a driver may be missing.
wanted = "is missing";
if (cuda)
  wanted = "there is no NVIDIA driver on this machine";
endif
check (has (info.reason, wanted) || (cuda && isempty (info.reason)),
       sprintf ("CUDA plugin wanted: %d; gpu_info says \"%s\"", cuda,
                info.reason));

text = evalc ("pkg describe -verbose gpueig");
functions = {dir(fullfile (installed, "gpu_*.m")).name};
for i = 1:numel (functions)
  name = functions{i}(1:end-2);
  check (has (text, name), ["pkg describe lists " name]);
endfor
check (has (text, info.version), "pkg describe has the version");
for command = {"news gpueig", info.version; "citation gpueig", "@misc"
               "lookfor eigenvalues", "gpu_eig"}.'  # Octave writes its words at installation
  check (has (evalc (command{1}), command{2}), command{1});
endfor

where = pwd ();
cd (folder);
text = evalc ("pkg test gpueig");
cd (where);
count = @(word) str2double (regexp (text, [word '\s+(\d+)'], "tokens"){1}{1});
check (has (text, "PASS") && count ("PASS") > 30,
       ["pkg test runs the tests: " text]);
check (! isempty (regexp (text, 'FAIL\s+0\s')), ["pkg test: " text]);

gpu_replace ("on");
check (strncmp (which ("eig"), folder, numel (folder)), "gpu_replace finds eig");
check (isequal (eig (2), 2), "eig of gpu_replace works");
pkg ("unload", "gpueig");
check (isempty (which ("gpu_eig")), "pkg unload takes the functions away");
check (strcmp (path (), path_before), "pkg unload restores the path");
message = "";
try, zeros (2, "gpuArray"); catch err, message = err.message; end_try_catch
check (has (message, "type"), "pkg unload restores zeros");
pkg ("load", "gpueig");
pkg ("uninstall", "gpueig");
check (isempty (which ("gpu_eig")), "pkg uninstall");
check (isempty (pkg ("list", "gpueig")), "pkg list is empty");
left = [glob(fullfile (folder, "packages", "*"))
        glob(fullfile (folder, "binaries", "*"))];
check (isempty (left), ["left behind: " strjoin(left)]);
printf ("%d passed, %d failed, 0 skipped\n", passed, failed);
