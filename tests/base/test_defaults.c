/* Claims: every solver accepts NULL for options and for info, with the results of the
   default options; without gpueig_set_plugin the plugin is searched for in the folder of
   the program, and the reason why there is no GPU names that file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <string.h>

enum
{
  N = 6
};

static gpueig_context *ctx;

static gpueig_status
symmetric (gpueig_status (*solver) (gpueig_context *, const gpueig_symmetric *,
                                    const gpueig_options *, gpueig_info *),
           const double *a, const gpueig_options *options, gpueig_info *info,
           double *out)
{
  const gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                               .n = N,
                               .pages = 1,
                               .a = a,
                               .lambda = out,
                               .v = out + N };
  return solver (ctx, &s, options, info);
}

static gpueig_status
general (gpueig_status (*solver) (gpueig_context *, const gpueig_general *,
                                  const gpueig_options *, gpueig_info *),
         const double *a, const gpueig_options *options, gpueig_info *info,
         double *out)
{
  const gpueig_general g = { .type = GPUEIG_DOUBLE,
                             .n = N,
                             .pages = 1,
                             .a = a,
                             .lambda = out,
                             .v = out + 2 * N };
  return solver (ctx, &g, options, info);
}

/* Run solver number K on the matrix A; its results are stored in OUT.  */
static gpueig_status
solve (int k, const double *a, const gpueig_options *options, gpueig_info *info,
       double *out)
{
  double d[N], e[N - 1], rcond;
  for (int i = 0; i < N; i++)
    d[i] = a[i + N * i];
  for (int i = 0; i + 1 < N; i++)
    e[i] = 0.5;
  const gpueig_mrrr_problem m = { .type = GPUEIG_DOUBLE,
                                  .n = N,
                                  .pages = 1,
                                  .d = d,
                                  .e = e,
                                  .lambda = out,
                                  .v = out + N };
  const gpueig_tdinv_problem t = { .type = GPUEIG_DOUBLE,
                                   .n = N,
                                   .c = e,
                                   .a = d,
                                   .b = e,
                                   .band = -1,
                                   .x = out,
                                   .rcond = &rcond };
  switch (k)
    {
    case 0:
      return symmetric (gpueig_eig_symmetric, a, options, info, out);
    case 1:
      return symmetric (gpueig_jacobi_eig, a, options, info, out);
    case 2:
      return symmetric (gpueig_onesided_eig, a, options, info, out);
    case 3:
      return general (gpueig_eig_general, a, options, info, out);
    case 4:
      return general (gpueig_complex_eig, a, options, info, out);
    case 5:
      return gpueig_mrrr (ctx, &m, options, info);
    default:
      return gpueig_tdinv (ctx, &t, options, info);
    }
}

int
main (void)
{
  static const char *const names[]
      = { "eig_symmetric", "jacobi_eig", "onesided_eig", "eig_general",
          "complex_eig",   "mrrr",       "tdinv" };
  double a[N * N], one[4 * N * N], two[4 * N * N];
  gpueig_machine machine;
  gpueig_info info;
  const gpueig_options options = gpueig_default_options ();
  check_begin ("defaults");
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i + N * j] = i == j ? 3 + i : 1.0 / (1 + i + j);
  for (int k = 0; k < 7; k++)
    {
      memset (one, 0, sizeof one);
      memset (two, 0, sizeof two);
      const gpueig_status first = solve (k, a, &options, &info, one);
      const gpueig_status second = solve (k, a, NULL, NULL, two);
      CHECK (first == GPUEIG_OK && second == first, "%s: NULL is taken, %s",
             names[k], gpueig_message (ctx));
      CHECK (memcmp (one, two, sizeof one) == 0, "%s: the same bits", names[k]);
    }
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda || strstr (machine.reason, "gpueig_cuda.so"),
         "the default plugin is looked for: %s", machine.reason);
  gpueig_set_plugin (ctx, NULL);
  gpueig_query (ctx, &machine);
  CHECK (! machine.cuda && ! strstr (machine.reason, "gpueig_cuda.so"),
         "without a plugin: %s", machine.reason);
  gpueig_destroy (ctx);
  return check_end ();
}
