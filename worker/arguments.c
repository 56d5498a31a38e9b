/* The command line of a job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
wk_help (void)
{
  puts (
      "Usage: mpirun -n P gpueig-worker [OPTION]... A [V [LAMBDA]]\n"
      "Eigenvalues and eigenvectors of a symmetric or Hermitian matrix by P "
      "processes.\n\n"
      "A is a file of n-by-n numbers, column by column, without a header, in "
      "the "
      "byte\norder of the machine; complex numbers are pairs (re, im).  V gets "
      "the\neigenvectors in the same form, LAMBDA the eigenvalues, ascending.  "
      "Either may be\n\"\".  A is only read; V and LAMBDA get their names when "
      "they are complete.\n\n"
      "  --n N               order of A\n"
      "  --class CLASS       double (default) or single\n"
      "  --complex           A is complex\n"
      "  --index IL:IU       only eigenpairs IL to IU, from 1\n"
      "  --b FILE            solve A V = B V D, B positive definite\n"
      "  --method METHOD     auto (default), elpa1, elpa2 (ELPA, one and two "
      "stages),\n"
      "                      or syevd (ScaLAPACK)\n"
      "  --display           a line for each stage\n"
      "  --engines           say which engines there are, and end\n"
      "  --help              say this, and end\n\n"
      "Environment: ELPA's own variables ELPA_DEFAULT_... choose among its "
      "kernels.");
}

/* The last characters are those of wk_parse.  */
static const struct option options[]
    = { { "n", required_argument, NULL, 'n' },
        { "class", required_argument, NULL, 'c' },
        { "complex", no_argument, NULL, 'z' },
        { "index", required_argument, NULL, 'i' },
        { "b", required_argument, NULL, 'b' },
        { "method", required_argument, NULL, 'm' },
        { "display", no_argument, NULL, 'd' },
        { "record", required_argument, NULL, 'r' },
        { "session", required_argument, NULL, 's' },
        { "folder", required_argument, NULL, 'f' },
        { "in-place", no_argument, NULL, 'p' },
        { NULL, 0, NULL, 0 } };

/* Parse a positive integer at TEXT that is followed by the character END.  */
static int
get_number (const char *text, char end, int64_t *number, const char **rest)
{
  char *stop;
  const long long value = strtoll (text, &stop, 10);
  if (stop == text || *stop != end || value < 1)
    return 0;
  *number = value;
  *rest = end ? stop + 1 : stop;
  return 1;
}

static gpueig_status
check_arguments (gpueig_context *ctx, const wk_arguments *args)
{
  const ge_method method = ge_find_method (GE_EIG_SYMMETRIC, args->method);
  if (method == GE_METHODS
      || (method != GE_AUTO && ! (ge_method_table[method].places & GE_ON_MPI)))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown method \"%.100s\"",
                        args->method);
  if (! args->a || args->n < 1)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the order --n and the file A are needed; see --help");
  if (args->n > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the order %lld is more than ScaLAPACK's %d",
                        (long long) args->n, INT32_MAX);
  if (args->first > args->last || args->last > args->n)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "eigenvalues %lld to %lld were asked for, but there "
                        "are 1 to %lld",
                        (long long) args->first, (long long) args->last,
                        (long long) args->n);
  return GPUEIG_OK;
}

gpueig_status
wk_parse (gpueig_context *ctx, int argc, char **argv, wk_arguments *args)
{
  int o, is_double = 1, is_complex = 0, good = 1;
  const char *rest;
  *args = (wk_arguments){ .v = "", .lambda = "", .method = "auto" };
  opterr = 0;
  while (good && (o = getopt_long (argc, argv, "+:", options, NULL)) != -1)
    switch (o)
      {
      case 'n':
        good = get_number (optarg, '\0', &args->n, &rest);
        break;
      case 'c':
        is_double = strcmp (optarg, "double") == 0;
        good = is_double || strcmp (optarg, "single") == 0;
        break;
      case 'i':
        good = get_number (optarg, ':', &args->first, &rest)
               && get_number (rest, '\0', &args->last, &rest);
        break;
      case 'z':
        is_complex = 1;
        break;
      case 'd':
        args->display = 1;
        break;
      case 'p':
        args->in_place = 1;
        break;
      case 'b':
        args->b = optarg;
        break;
      case 'm':
        args->method = optarg;
        break;
      case 'r':
        args->record = optarg;
        break;
      case 's':
        args->session = optarg;
        break;
      case 'f':
        args->folder = optarg;
        break;
      default:
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            o == ':' ? "%.100s needs a value"
                                     : "unknown option %.100s; see --help",
                            argv[optind - 1]);
      }
  if (! good)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "the value of an option cannot be \"%.100s\"", optarg);
  const char **const files[] = { &args->a, &args->v, &args->lambda };
  if (argc - optind > 3)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "there are %d files, but at most A, V and LAMBDA can "
                        "be given",
                        argc - optind);
  for (int k = 0; optind < argc; optind++, k++)
    *files[k] = argv[optind];
  args->type
      = (gpueig_type) (GPUEIG_FLOAT + is_double
                       + is_complex * (GPUEIG_COMPLEX_FLOAT - GPUEIG_FLOAT));
  if (! args->last)
    {
      args->first = 1;
      args->last = args->n;
    }
  return check_arguments (ctx, args);
}
