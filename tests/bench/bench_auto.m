## The choices of "auto": whole calls with "Method" "auto" are compared with every other
## method of the same call on the same backend, and with "Backend" "auto" with each
## backend.  Reported are the shortest of alternating runs.  A method that takes three
## times as long as the fastest is not repeated, nor, if that is more than 20 ms, run at
## other orders of the group.
##
## Not included are methods for comparison with published tables and those of MPI.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function bench_auto (folder, budget)
  rand ("twister", 8);
  randn ("twister", 8);
  cuda = has_gpu ();
  t = table_open (folder, "auto",
                  "\"auto\" against every method that the same call offers",
                  {"call", "type", "input", "n", "pages", "outputs", ...
                   "backend", "auto takes", "auto [s]", "best", "best [s]", ...
                   "auto/best", "times of the best"},
                  "note", {["whole calls, the shortest of several in turns; ", ...
                            "backend \"auto\": what it takes against each backend"], ...
                           ["no candidates: classical, hestenes, cholesky, ", ...
                            "sherman-morrison (published methods, for the ", ...
                            "papers' tables), those of MPI"]});
  backends = {"cpu"};
  if (cuda)
    backends = {"cuda", "auto", "cpu"};
  endif
  all_groups = groups (cuda);
  weights = [3, 2, 1](1:numel (backends));
  found = cell (0, 5);
  start = tic ();
  for b = 1:numel (backends)
    for i = 1:rows (all_groups)
      left = max (0, budget - toc (start));
      if (left == 0 && ! isempty (found))
        fprintf (t.fid, "# left out: no time for %s (%s %s %s)\n", all_groups{i,1:2}, ...
                 all_groups{i,4}, backends{b});
        continue;
      endif
      share = left * weights(b) ...
              / (weights(b) * (rows (all_groups) + 1 - i) ...
                 + rows (all_groups) * sum (weights(b+1:end)));
      found = [found; one_group(t, share, backends{b}, all_groups{i,:})];
    endfor
  endfor
  table_close (t);
  summary (folder, found);
endfunction

## Rows {function, type, outputs, input, sizes}; sizes: orders and numbers of pages.
## For a GPU the stacks have more pages.
function list = groups (cuda)
  fill = merge (cuda, 6e6, 4e5);
  stack = @(n) [n(:), ceil(min (20000, fill ./ n(:) .^ 2))];
  one = @(n) [n(:), ones(numel (n), 1)];
  companion = merge (cuda, [13 8192; 32 2000; 64 200], [13 8192; 32 500; 64 50]);
  list = {"gpu_eig", "double", 2, "symmetric", one([2 16 64 128 256 512 1000 2000 4000])
          "gpu_eig", "double", 2, "symmetric", stack([4 16 24 25 32 64 100 128 200 256])
          "gpu_eig", "double", 1, "symmetric", [one([256 1000 2000]); stack([16 32 64 128])]
          "gpu_eig", "complex double", 2, "symmetric", one([16 64 256 512 1000 2000])
          "gpu_eig", "complex double", 2, "symmetric", stack([8 16 24 32 64 128 256])
          "gpu_eig", "single", 2, "symmetric", [one([256 1000 2000]); stack([16 24 64 128 256])]
          "gpu_eig", "complex single", 2, "symmetric", [one([256 1000]); stack([16 24 64 128])]
          "gpu_eig", "double", 2, "pair", one([64 256 1000 2000])
          "gpu_eig", "double", 2, "general", [one([16 64 128 256 512 1000]); stack([8 32])]
          "gpu_eig", "complex double", 2, "general", [one([16 64 128 256 512 1000]); stack([8 32])]
          "gpu_eig", "complex double", 1, "general", one([64 256 512])
          "gpu_eig", "double", 1, "general", one([64 256 512 1000])
          "gpu_complex_eig", "complex double", 2, "general", stack([4 8 13 16 24 30 31 32 48 64 96])
          "gpu_complex_eig", "double", 2, "general", stack([4 6 8 9 10 13 16 32 64])
          "gpu_complex_eig", "complex double", 1, "general", stack([8 16 28 30 32 64])
          "gpu_complex_eig", "double", 1, "general", stack([4 5 6 13 32])
          "gpu_complex_eig", "single", 2, "general", stack([8 14 16 32])
          "gpu_complex_eig", "complex single", 2, "general", stack([8 16 30 32 64])
          "gpu_complex_eig", "complex double", 2, "general", one([4 16 32 64 128 256 512 1000])
          "gpu_complex_eig", "double", 2, "general", one([8 32 48 128 256])
          "gpu_complex_eig", "single", 2, "general", one([8 32 48 128 256])
          "gpu_complex_eig", "complex single", 2, "general", one([8 32 48 128 256])
          "gpu_complex_eig", "double", 2, "companion", companion
          "gpu_complex_eig", "double", 1, "companion", companion
          "gpu_jacobi_eig", "double", 2, "symmetric", one([8 32 64 96 128 256 512 1000 2000])
          "gpu_jacobi_eig", "complex double", 2, "symmetric", one([32 64 128 256 512 1000])
          "gpu_jacobi_eig", "single", 2, "symmetric", one([64 128 256 512 1000])
          "gpu_jacobi_eig", "double", 2, "symmetric", stack([8 16 32 64 128])
          "gpu_jacobi_eig", "double", 2, "guess 1e-3", one([32 64 128 256 512 1000 2000])
          "gpu_jacobi_eig", "double", 2, "guess 1e-8", one([64 128 256 512 1000 2000])
          "gpu_jacobi_eig", "complex double", 2, "guess 1e-3", one([64 128 256 512 1000])
          "gpu_jacobi_eig", "single", 2, "guess 1e-3", one([64 128 256 512 1000])
          "gpu_onesided_eig", "double", 2, "symmetric", stack([4 8 16 32 48 64 100 128 256])
          "gpu_onesided_eig", "complex double", 2, "symmetric", stack([4 8 16 32 64 128])
          "gpu_onesided_eig", "single", 2, "symmetric", stack([8 16 32 64 128])
          "gpu_onesided_eig", "double", 2, "symmetric", one([16 64 128 256 512 1000])
          "gpu_mrrr", "double", 2, "Wilkinson", one([65 129 257 512 1024 2048 4096])
          "gpu_mrrr", "double", 2, "random tridiagonal", one([64 256 512 1024 2048 4096])
          "gpu_mrrr", "double", 2, "(1 4 1)", one([16 64 128 256 512 1024 2048 4096])
          "gpu_mrrr", "double", 2, "glued Wilkinson", one([105 210 525 1050 2100])
          "gpu_mrrr", "double", 2, "Clement", one([256 1024 2048])
          "gpu_mrrr", "double", 1, "random tridiagonal", one([64 256 1024 4096])
          "gpu_mrrr", "single", 2, "Wilkinson", one([256 1024 4096])
          "gpu_mrrr", "single", 2, "(1 4 1)", one([256 1024 4096])
          "gpu_mrrr", "single", 2, "random tridiagonal", one([256 1024 4096])
          "gpu_mrrr", "double", 2, "tridiagonal pages", stack([8 32 64 128 256])
          "gpu_mrrr", "double", 2, "symmetric", one([64 128 256 512 1000 2000])
          "gpu_mrrr", "complex double", 2, "symmetric", one([128 512 1000])
          "gpu_tdinv", "double", 1, "dominant", one([16 100 500 1000 2000 4096])
          "gpu_tdinv", "complex double", 1, "dominant", one([100 1000 2000])
          "gpu_schur", "double", 2, "general", one([16 64 128 256 512])
          "gpu_schur", "complex double", 2, "general", one([16 64 128 256 512])
          "gpu_svd", "double", 3, "general", [one([16 64 128 256 512 1000 2000]); stack([4 8 16 32 64 128])]
          "gpu_svd", "double", 1, "general", [one([64 256 512 1000]); stack([8 32 64])]
          "gpu_svd", "complex double", 3, "general", [one([64 256 512 1000]); stack([8 32 64])]
          "gpu_svd", "single", 3, "general", [one([64 256 512 1000]); stack([8 32 64])]
          "gpu_expm", "double", 1, "general", [one([16 64 128 256 512 1000]); stack([8 32 64])]
          "gpu_sqrtm", "double", 1, "general", [one([16 64 128 256 512]); stack([8 32])]
          "gpu_logm", "double", 1, "general", [one([16 64 128 256 512]); stack([8 32])]
          "gpu_polar", "double", 2, "general", [one([16 64 128 256 512 1000]); stack([8 32 64])]};
endfunction

## The methods of a call besides "auto"; those that do not accept it are left out later.
function list = candidates (name, input, backend)
  if (strcmp (backend, "auto"))
    list = {"cpu", "cuda"};
    return;
  endif
  list = setdiff (words_of (name), {"auto", "classical", "hestenes", "cholesky", "sherman-morrison", "elpa1", "elpa2"}, "stable");
  if (strcmp (input, "companion"))
    list{end+1} = "loop over eig";
  elseif (strncmp (input, "guess", 5))
    list{end+1} = "without Guess";
  endif
endfunction

## The rows of a group; FOUND: {function, backend, ratio, what, takes}.
function found = one_group (t, seconds, backend, name, type, nout, input, sizes)
  found = cell (0, 5);
  list = candidates (name, input, backend);
  if (isempty (list))
    return;
  endif
  begin = tic ();
  slow = {};
  last = [0, 1];  # seconds of the last row's first round, its size
  skipped = [];
  for i = 1:rows (sizes)
    n = sizes(i,1);
    count = sizes(i,2);
    work = n ^ 3 * count;
    share = max (0, seconds - toc (begin)) / (rows (sizes) + 1 - i);
    if (i > 1 && last(1) * work / last(2) > 2 * (seconds - toc (begin)))
      skipped(end+1) = n;
      continue;
    endif
    if (strcmp (backend, "cuda") && count > 100
        && any (strcmp (name, {"gpu_eig", "gpu_complex_eig"})))
      slow = union (slow, {"mrrr", "syevd"});  # page by page
    endif
    [f, peers] = calls (name, type, nout, input, n, count, backend, ...
                        setdiff (list, slow, "stable"));
    try
      [times, takes, once] = in_turns (f, share);
      ## Whether that was "auto" or another program: all once more.
      if (times(1) > 1.15 * min (times(2:end)))
        times = min (times, in_turns (f, share));
      endif
    catch err
      fprintf (t.fid, "# left out: %s of order %d: %s\n", name, n,
               strrep (err.message, "\n", " "));
      continue;
    end_try_catch
    last = [once, work];
    for k = find (times(2:end) > 3 * min (times) & times(2:end) > 0.02)
      slow{end+1} = peers{k};
    endfor
    if (strncmp (input, "guess", 5))
      takes = [takes " from Guess"];
    endif
    if (! any (isfinite (times(2:end))))
      continue;  # no method accepts this input
    endif
    [best, k] = min (times(2:end));
    texts = arrayfun (@(k) sprintf ("%s %.3g", peers{k}, times(k+1) / best), ...
                      find (isfinite (times(2:end))), "UniformOutput", false);
    table_row (t, name, type, input, n, count, ...
               {"one", "two", "three"}{nout}, backend, takes, times(1), ...
               peers{k}, best, times(1) / best, strjoin (texts, "; "));
    found(end+1,:) = {name, backend, times(1) / best, ...
                      sprintf("%s %s n = %d%s", type, input, n, ...
                              merge (count > 1, ...
                                     sprintf (" %d pages", count), "")), ...
                      sprintf("%s takes %s; best %s", name, takes, peers{k})};
  endfor
  if (! isempty (skipped))
    fprintf (t.fid, "# left out: no time for %s of orders %s (%s %s %s)\n", name,
             strjoin (strsplit (num2str (skipped)), ", "), type, input, backend);
  endif
endfunction

## The shortest time in seconds of each function of F, called alternately; the time of
## the first one; the time of a round.
function [times, takes, round] = in_turns (f, seconds)
  times = Inf (size (f));
  takes = "";
  begin = tic ();
  use = 1:numel (f);
  count = 0;
  do
    start = tic ();
    ## The first call of a round is a cold one.
    turn = use;
    if (mod (count, 2) == 1)
      turn = fliplr (use);
    endif
    for k = turn
      call = tic ();
      try
        f{k}();
      catch err
        if (k == 1)
          rethrow (err);
        endif
        use(use == k) = [];  # does not accept this input
        times(k) = NaN;
        continue;
      end_try_catch
      times(k) = min (times(k), toc (call));
      if (k == 1 && isempty (takes))
        [~, info] = __gpueig__ ("testing", "info");
        takes = [info.method, " ", info.backend];
        if (! isempty (info.fallback))
          takes = [takes, " (", info.fallback, ")"];
        endif
      endif
      ## A cold first call counts only where it is long.
      if (count == 0 && times(k) < 0.5)
        call = tic ();
        f{k}();
        times(k) = toc (call);
      endif
    endfor
    round = toc (start);
    count += 1;
    use = union (1, use(times(use) < 3 * min (times)));
  until ((count >= 3 && toc (begin) > seconds)
         || (count >= 12 && toc (begin) > 0.03) || count == 1000
         || (count >= 2 && round > 1.5 && toc (begin) + round > seconds))
endfunction

## The call with "auto" first, then with each of LIST.
function [f, list] = calls (name, type, nout, input, n, count, backend, list)
  [args, guess] = arguments (type, input, n, count);
  solver = str2func (name);
  rest = {};
  if (! any (strcmp (name, {"gpu_tdinv", "gpu_schur", "gpu_expm", "gpu_logm", "gpu_sqrtm", "gpu_polar"})))
    rest = {"vector"};
  endif
  place = {"Backend", backend};
  run = @(varargin) outputs (solver, nout, args{:}, rest{:}, varargin{:});
  f = {@() run(place{:}, guess{:})};
  for k = 1:numel (list)
    switch (list{k})
      case {"cpu", "cuda"}
        f{end+1} = @() run ("Backend", list{k}, guess{:});
      case "without Guess"
        f{end+1} = @() run (place{:});
      case "loop over eig"
        f{end+1} = @() outputs (@loop, nout, @(p) eig (args{1}(:,:,p), {{}, {"vector"}}{nout}{:}), count);
      otherwise
        f{end+1} = @() run (place{:}, guess{:}, "Method", list{k});
    endswitch
  endfor
endfunction

function done = outputs (f, nout, varargin)
  done = true;
  [x{1:nout}] = f (varargin{:});
endfunction

function [args, guess] = arguments (type, input, n, count)
  guess = {};
  class = strrep (type, "complex ", "");
  random = @(varargin) randn (varargin{:}, class);
  if (strncmp (type, "complex", 7))
    random = @(varargin) complex (randn (varargin{:}, class), ...
                                  randn (varargin{:}, class));
  endif
  switch (input)
    case "symmetric"
      args = {hermitian(random (n, n, count))};
    case "pair"
      B = random (n);
      args = {hermitian(random (n)), B * B' + n * eye(n)};
    case "general"
      args = {random(n, n, count)};
    case "companion"
      A = zeros (n, n, count);
      for i = 1:n-1
        A(i+1,i,:) = 1;
      endfor
      A(1,:,:) = -randn (1, n, count);
      args = {A};
    case {"guess 1e-3", "guess 1e-8"}
      A = hermitian (random (n));
      [V, ~] = gpu_eig (A);
      args = {A + str2double(input(7:end)) * hermitian(random (n))};
      guess = {"Guess", V};
    case "Wilkinson"
      args = {abs((0:n-1)' - (n - 1) / 2), ones(n - 1, 1)};
    case "(1 4 1)"
      args = {4 * ones(n, 1), ones(n - 1, 1)};
    case "random tridiagonal"
      args = {2 * rand(n, 1) - 1, 2 * rand(n - 1, 1) - 1};
    case "tridiagonal pages"
      args = {randn(n, 1, count), randn(n - 1, 1, count)};
    case "glued Wilkinson"
      e = ones (n - 1, 1);
      e(21:21:end) = 1e-8;
      args = {repmat(abs ((-10:10)'), n / 21, 1), e};
    case "Clement"
      i = (1:n-1)';
      args = {zeros(n, 1), sqrt(i .* (n - i))};
    case "dominant"
      args = {random(n - 1, 1), 10 + random(n, 1), random(n - 1, 1)};
  endswitch
  if (strcmp (class, "single"))
    args = cellfun (@single, args, "UniformOutput", false);
  endif
endfunction

## The median and the largest ratio for each function on each backend, and of all.
function summary (folder, found)
  t = table_open (folder, "auto_worst",
                  "\"auto\": the worst ratio to the best method of the same call",
                  {"function", "backend", "cases", "over 1.2", "over 1.05", ...
                   "median auto/best", "worst auto/best", "case", "takes"},
                  "note", {"from the table auto of the same run"});
  keys = strcat (found(:,1), "|", found(:,2));
  [~, first] = unique (keys, "first");
  for i = [sort(first(:))', 0]
    k = 1:rows (found);
    if (i > 0)
      k = find (strcmp (keys, keys{i}))';
    endif
    ratios = [found{k,3}];
    [worst, at] = max (ratios);
    table_row (t, merge (i == 0, "all", found{k(1),1}), ...
               merge (i == 0, "all", found{k(1),2}), numel (k), ...
               nnz (ratios > 1.2), nnz (ratios > 1.05), median (ratios), ...
               worst, found{k(at),4}, found{k(at),5});
  endfor
  table_close (t);
endfunction
