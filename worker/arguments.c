/* The command line of a job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

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

enum
{
  FLAG,
  TEXT,
  NUMBER,
  RANGE,
  CLASS
};

typedef struct
{
  const char *name;
  int kind;
  size_t at;
} option;

#define AT(field) offsetof (wk_arguments, field)

static const option options[] = {
  { "--n", NUMBER, AT (n) },
  { "--class", CLASS, 0 },
  { "--complex", FLAG, 0 },
  { "--index", RANGE, 0 },
  { "--b", TEXT, AT (b) },
  { "--method", TEXT, AT (method) },
  { "--display", FLAG, AT (display) },
  { "--record", TEXT, AT (record) },
  { "--session", TEXT, AT (session) },
  { "--folder", TEXT, AT (folder) },
  { "--in-place", FLAG, AT (in_place) },
};

static const option *
find_option (const char *name)
{
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp (options[i].name, name) == 0)
      return &options[i];
  return NULL;
}

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

/* Store the VALUE of option O; zero if it is not valid.  */
static int
store (const option *o, const char *value, wk_arguments *args, int *is_double)
{
  const char *rest;
  switch (o->kind)
    {
    case TEXT:
      *(const char **) ((char *) args + o->at) = value;
      return 1;
    case NUMBER:
      return get_number (value, '\0', (int64_t *) ((char *) args + o->at),
                         &rest);
    case RANGE:
      return get_number (value, ':', &args->first, &rest)
             && get_number (rest, '\0', &args->last, &rest);
    default:
      *is_double = strcmp (value, "double") == 0;
      return *is_double || strcmp (value, "single") == 0;
    }
}

static gpueig_status
check (gpueig_context *ctx, const wk_arguments *args)
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
  int i = 1, is_double = 1, is_complex = 0;
  *args = (wk_arguments){ .v = "", .lambda = "", .method = "auto" };
  for (; i < argc && strncmp (argv[i], "--", 2) == 0; i++)
    {
      if (strcmp (argv[i], "--") == 0)
        {
          i++;
          break;
        }
      const option *o = find_option (argv[i]);
      if (! o)
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "unknown option %.100s; see --help", argv[i]);
      if (strcmp (o->name, "--complex") == 0)
        is_complex = 1;
      else if (o->kind == FLAG)
        *(int *) ((char *) args + o->at) = 1;
      else if (++i == argc || ! store (o, argv[i], args, &is_double))
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "%s needs a value, and it cannot be \"%.100s\"",
                            o->name, i < argc ? argv[i] : "");
    }
  const char **const files[] = { &args->a, &args->v, &args->lambda };
  if (argc - i > 3)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "there are %d files, but at most A, V and LAMBDA can "
                        "be given",
                        argc - i);
  for (int k = 0; i < argc; i++, k++)
    *files[k] = argv[i];
  args->type
      = (gpueig_type) (GPUEIG_FLOAT + is_double
                       + is_complex * (GPUEIG_COMPLEX_FLOAT - GPUEIG_FLOAT));
  if (! args->last)
    {
      args->first = 1;
      args->last = args->n;
    }
  return check (ctx, args);
}
