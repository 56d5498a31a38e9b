/* Claim, for MRRR on the backend under test: random matrices whose entries are
   widely graded, nearly equal, zero, or repeated in blocks pass the bars.  Some
   need several levels of the representation tree and the fallback.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "limits.h"
#include "mrrr_problem.h"

static measure_random dice = { 29 };

static double
entry (int mode)
{
  double sign = measure_chance (&dice) < 0.5 ? -1 : 1;
  switch (mode)
    {
    case 0:
      return sign * measure_chance (&dice);
    case 1:
      return sign * pow (10, -16 * measure_chance (&dice));
    case 2:
      return sign * pow (10, -40 * measure_chance (&dice));
    case 3:
      return (int) (measure_chance (&dice) * 5 - 2);
    case 4:
      return measure_chance (&dice) < 0.3 ? 0 : sign * measure_chance (&dice);
    case 5:
      return 1 + 1e-14 * sign * measure_chance (&dice);
    case 6:
      return sign * pow (10, -8 * (int) (measure_chance (&dice) * 3));
    default:
      return measure_chance (&dice) < 0.5 ? 1 : 1e-8 * measure_chance (&dice);
    }
}

static void
make (problem *p)
{
  int n = p->n, diagonal = (int) (measure_chance (&dice) * 8),
      off = (int) (measure_chance (&dice) * 8);
  int period = measure_chance (&dice) < 0.6
                   ? 1 + (int) (measure_chance (&dice) * 30)
                   : n;
  if (measure_chance (&dice) < 0.3)
    off = 1;
  for (int i = 0; i < n; i++)
    {
      p->d[i] = i < period ? entry (diagonal) : p->d[i - period];
      p->e[i] = i < period ? entry (off) : p->e[i - period];
      if (i >= period && (i + 1) % period == 0 && measure_chance (&dice) < 0.5)
        p->e[i] = pow (10, -16 * measure_chance (&dice));
    }
}

int
main (void)
{
  int cases = 2500, deepest = 0;
  check_begin ("mrrr_fuzz");
  ctx = check_context (&options);
  for (int k = 0; k < cases; k++)
    {
      gpueig_info info;
      gpueig_type type = k % 4 ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
      CLEANUP (free_problem)
      problem p = make_problem (
          type,
          1 + (int) (measure_chance (&dice) * measure_chance (&dice) * 200));
      make (&p);
      round_problem (&p);
      gpueig_mrrr_problem r = request (&p);
      CHECK (solve (&p, &r, &info) == GPUEIG_OK, "case %d: %s", k,
             gpueig_message (ctx));
      CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, case %d, %s n=%d",
                   k, check_type_name[type], p.n);
      CHECK_RATIO (orthogonality (&p), LIMIT_ORTHOGONALITY,
                   "orthogonality, case %d, n=%d", k, p.n);
      CHECK (is_ascending (&p), "ascending, case %d", k);
      for (int i = 0; i < info.n_extra; i++)
        if (info.extra[i].name[0] == 'd' && info.extra[i].value > deepest)
          deepest = (int) info.extra[i].value;
    }
  CHECK (deepest >= 2, "some trees have %d levels", deepest);
  gpueig_destroy (ctx);
  return check_end ();
}
