/* The gateway's shared parts.  Only mex/ knows Octave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One entry point, __gpueig__ (COMMAND, ...), with a table of commands.  Every
   command returns first a failure: [] or a struct array with the fields
   identifier and message, from which inst/private/__gpueig_raise__.m makes an
   error or warnings.  Octave's error () is never raised from C: nothing can
   leak.

   Octave 7.3's interleaved complex API is broken (bug 64687), so arrays cross
   the border in the planar one and are converted in marshal.c only.  */

#ifndef GE_GATEWAY_H
#define GE_GATEWAY_H 1

#include "gpueig.h"

#include <mex.h>

/* Octave's version, from CMakeLists.txt; 7 is the oldest that is served.  */
#ifndef GE_OCTAVE_MAJOR
#  define GE_OCTAVE_MAJOR 7
#endif

/* What a command gets: plhs[0] is the failure, which the gateway makes of the
   status and of INFO, the solver's report (empty before).  */
typedef gpueig_status mex_command (gpueig_context *ctx, int nlhs,
                                   mxArray *plhs[], int nrhs,
                                   const mxArray *prhs[], gpueig_info *info);

/* The table: one line per command, in commands.def.  */
#define COMMAND(name) mex_command cmd_##name;
#include "commands.def"
#undef COMMAND

/* Raise an interrupt as Ctrl-C does at the K-th poll for one or line of progress
   from now on, K = 0: at none.  For tests.  Returns how many there were since
   the last call.  */
int64_t mex_interrupt_at (int64_t k);

/* How many calls of the library an exception of Octave has unwound.  */
int64_t mex_unwound (void);

/* --- marshal.c: Octave arrays <-> the core's --- */

/* A dense array as core wants it.  DATA points into the Octave array where its
   layout is the core's already (real), else into memory of mxMalloc, which
   Octave frees when the command returns.  */
typedef struct
{
  gpueig_type type;
  int64_t rows, columns, pages; /* pages: product of the further dimensions */
  const void *data;
} mex_matrix;

/* Takes full, sparse, range, diagonal and permutation matrices of class double
   or single.  GPUEIG_WRONG_TYPE for anything else; WHAT names the argument in
   the message.  */
gpueig_status mex_get_matrix (gpueig_context *ctx, const mxArray *array,
                              const char *what, mex_matrix *matrix);

/* The same, converted to TYPE (wider or complex) where it is not.  */
gpueig_status mex_get_matrix_as (gpueig_context *ctx, const mxArray *array,
                                 const char *what, gpueig_type type,
                                 mex_matrix *matrix);

/* A new array of ROWS x COLUMNS x the further dimensions of LIKE (may be NULL).
   Real types: *DATA is the array's own memory.  Complex: *DATA is interleaved
   memory that mex_finish copies into the array.  NULL when memory is short,
   with the message set.  */
mxArray *mex_new_array (gpueig_context *ctx, gpueig_type type, int64_t rows,
                        int64_t columns, const mxArray *like, void **data);
void mex_finish (mxArray *array, gpueig_type type, const void *data);

/* The same for a matrix in Octave's own layout: real and imaginary parts apart,
   *IM is NULL for real types.  Nothing is copied when it is finished.  */
mxArray *mex_new_planes (gpueig_context *ctx, gpueig_type type, int64_t rows,
                         int64_t columns, void **re, void **im);

/* COUNT elements that Octave frees when the command returns, or NULL with the
   message set.  */
void *mex_scratch (gpueig_context *ctx, size_t count, size_t size);

/* As mex_finish for complex types, but the imaginary part is dropped when all
   of it is zero, as Octave narrows.  */
void mex_finish_narrow (mxArray **array, gpueig_type type, const void *data);

/* --- options.c --- */

/* The struct that inst/private/__gpueig_options__.m made.  METHOD holds the text
   that OPTIONS points to.  */
typedef char mex_method[32];
void mex_get_options (const mxArray *opts, mex_method method,
                      gpueig_options *options);

/* Field NAME of a scalar struct as a number, or VALUE where there is none.  */
double mex_field (const mxArray *s, const char *name, double value);

mxArray *mex_info (const gpueig_info *info);

#endif
