/* The commands of the functions of gpu_replace (gpu_names.cc), which stand for eig, inv, schur and
   functions of matrices of Octave: they solve what they are faster at, and refuse everything else.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <stdlib.h>
#include <string.h>

enum
{
  NEVER = INT32_MAX,
  PLANNED = 512 /* the planner is asked up to this order */
};

/* A function: its command and words; the orders from which the CPU backend is faster
   than Octave's function, with the time for asking: for one output and for more, of real
   and of complex matrices; what the planner is asked about smaller matrices, or -1;
   whether matrices need not be square: the order is then the shorter side, and the second
   argument can be a number, 0 or, for one output at most, a tolerance.  */
typedef struct
{
  const char *name;
  const char *command;
  const char *words[5];
  int most_out, most_matrices;
  int order[2][2], planned, any_shape;
} replacement;

static const replacement replacements[] = {
  { "eig",
    "eig",
    { "vector", "matrix", "balance", "nobalance", NULL },
    3,
    2,
    { { 32, 128 }, { 32, 32 } },
    GPUEIG_FUNCTION_EIG_GENERAL,
    0 },
  { "inv", "tdinv", { NULL }, 1, 1, { { 48, 48 }, { NEVER, NEVER } }, -1, 0 },
  { "schur",
    "schur",
    { "real", "complex", NULL },
    2,
    1,
    { { 32, 32 }, { 32, 32 } },
    GPUEIG_FUNCTION_SCHUR,
    0 },
  { "sqrtm", "sqrtm", { NULL }, 1, 1, { { 32, 32 }, { 32, 32 } }, -1, 0 },
  { "logm", "logm", { NULL }, 1, 1, { { 2, 2 }, { 2, 2 } }, -1, 0 },
  { "expm", "expm", { NULL }, 1, 1, { { 2, 2 }, { 2, 2 } }, -1, 0 },
  { "svd",
    "svd",
    { "econ", NULL },
    3,
    1,
    { { 128, 128 }, { 48, 32 } },
    GPUEIG_FUNCTION_SVD,
    1 },
  { "pinv",
    "pinv",
    { NULL },
    1,
    1,
    { { 48, 32 }, { NEVER, NEVER } },
    GPUEIG_FUNCTION_SVD,
    1 },
};

static const replacement *
find (const mxArray *name)
{
  char text[8];
  if (mxGetString (name, text, sizeof text) == 0)
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++)
      if (strcmp (replacements[i].name, text) == 0)
        return &replacements[i];
  return NULL;
}

gpueig_status
mex_refuse (mex_call *call)
{
  call->failed = MEX_REFUSED;
  return GPUEIG_BAD_ARGUMENT;
}

/* Asked once: the answer takes the time to load the plugin.  */
static int
has_gpu (mex_call *call)
{
  static int known, answer;
  gpueig_machine machine;
  if (! known)
    {
      gpueig_query (call->ctx, &machine);
      answer = machine.cuda;
    }
  known = 1;
  return answer;
}

/* Nonzero if a GPU, where there is one, is faster at a matrix of order N.  */
static int
gpu_pays (mex_call *call, const replacement *r, gpueig_type type, int64_t n)
{
  const gpueig_task task = { .function = (gpueig_function) r->planned,
                             .type = type,
                             .n = n,
                             .pages = 1,
                             .vectors = call->n_out > 1 };
  gpueig_forecast forecast;
  return r->planned >= 0 && n > 0
         && gpueig_plan (call->ctx, &task, NULL, &forecast) == GPUEIG_OK
         && forecast.backend == GPUEIG_CUDA;
}

/* Nonzero if X is stored as a full matrix of class double or single.  Ranges and diagonal
   and permutation matrices have built-in functions of their own.  */
static int
is_full (const mxArray *x, int any_shape)
{
  char text[32];
  if (! (mxIsDouble (x) || mxIsSingle (x)) || mxIsSparse (x)
      || mxGetNumberOfDimensions (x) != 2
      || (! any_shape && mxGetM (x) != mxGetN (x)))
    return 0;
  mxArray *in = (mxArray *) x, *type = mex_builtin_1 ("typeinfo", 1, &in);
  const int got = mxGetString (type, text, sizeof text) == 0;
  mxDestroyArray (type);
  return got
         && (strcmp (text, "matrix") == 0
             || strcmp (text, "complex matrix") == 0
             || strcmp (text, "float matrix") == 0
             || strcmp (text, "float complex matrix") == 0);
}

/* Nonzero if X is one of WORDS to the letter: other options, and other spellings, which
   Octave's function may not know, are left to it.  */
static int
is_word (const mxArray *x, const char *const *words)
{
  char text[16];
  if (! mxIsChar (x) || mxGetM (x) != 1 || mxGetNumberOfDimensions (x) != 2
      || mxGetString (x, text, sizeof text) != 0)
    return 0;
  while (*words && strcmp (text, *words) != 0)
    words++;
  return *words != NULL;
}

/* Nonzero if all arguments of CALL can be those of R.  The results of a pair of two
   classes have in Octave that of the first, ours single precision.  The word "chol" of a
   pair, the algorithm for definite ones that is ours too, is taken off.  */
static int
accepts (mex_call *call, const replacement *r)
{
  static const char *const algorithm[] = { "chol", NULL };
  int matrices = 0;
  double number;
  while (matrices < call->n_args && matrices < r->most_matrices
         && mex_is_array (call, matrices))
    {
      const mxArray *x = call->args[matrices++];
      if (! is_full (x, r->any_shape)
          || mxGetClassID (x) != mxGetClassID (call->args[0]))
        return 0;
    }
  int at = matrices == 2 ? 2 : call->n_args;
  while (at < call->n_args && ! is_word (call->args[at], algorithm))
    at++;
  if (at < call->n_args)
    call->n_args--;
  for (; at < call->n_args; at++)
    call->args[at] = call->args[at + 1];
  /* The result of svd (A, 0) for a wide matrix depends on Octave's version.  */
  const int numbers
      = r->any_shape && call->n_args > 1 && mxIsDouble (call->args[1])
        && mex_get_number (call->args[1], &number)
        && (r->most_out == 1
                ? number > 0
                : number == 0
                      && mxGetM (call->args[0]) >= mxGetN (call->args[0]));
  for (int i = matrices + numbers; i < call->n_args; i++)
    if (! is_word (call->args[i], r->words))
      return 0;
  return matrices > 0 && call->n_out <= r->most_out;
}

/* The order from which matrices are ours, of ROW outputs and COLUMN types of R: the
   environment variable GPUEIG_REPLACE_MIN, for tests, or that of the table.  */
static int
least_order (const replacement *r, int row, int column)
{
  const char *text = getenv ("GPUEIG_REPLACE_MIN");
  const int order = text ? atoi (text) : 0;
  return order > 0 && r->order[row][column] < NEVER ? order
                                                    : r->order[row][column];
}

/* [failed, OUT1, ...] = __gpueig__ ("replace", NOUT, NAME, ARG1, ...): the outputs of the
   function NAME; FAILED is not empty if Octave's function is to be called.  */
gpueig_status
mex_replace (mex_call *call)
{
  const replacement *r = call->n_args > 1 ? find (call->args[0]) : NULL;
  if (! r)
    return mex_refuse (call);
  call->args++;
  call->n_args--;
  if (! accepts (call, r))
    return mex_refuse (call);
  const mxArray *a = call->args[0];
  const size_t rows = mxGetM (a), columns = mxGetN (a);
  const int64_t n = (int64_t) (rows < columns ? rows : columns);
  if (n < least_order (r, call->n_out > 1, mxIsComplex (a))
      && ! (gpu_pays (call, r, mex_type_of (a), n) && has_gpu (call)))
    return mex_refuse (call);
  call->never_qz = 1;
  call->command = mex_find_command (r->command);
  return call->command->run (call);
}

/* [failed, COUNT] = __gpueig__ ("replace-from", NAME): matrices of less than COUNT elements
   are always refused.  */
gpueig_status
mex_replace_from (mex_call *call)
{
  const replacement *r = call->n_args == 1 ? find (call->args[0]) : NULL;
  if (! r)
    return mex_refuse (call);
  int64_t least = NEVER;
  for (int i = 0; i < 4; i++)
    if (least_order (r, i / 2, i % 2) < least)
      least = least_order (r, i / 2, i % 2);
  for (int type = GPUEIG_FLOAT; type <= GPUEIG_COMPLEX_DOUBLE; type++)
    for (int64_t n = 1; n < least && n < PLANNED; n++)
      if (gpu_pays (call, r, (gpueig_type) type, n))
        least = n;
  call->out[0] = mxCreateDoubleScalar ((double) least * least);
  return GPUEIG_OK;
}
