## The seed of random problems: GPUEIG_TEST_SEED, or DEFAULT.
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function seed = test_seed (default)
  seed = str2double (getenv ("GPUEIG_TEST_SEED"));
  if (isnan (seed))
    seed = default;
  endif
endfunction
