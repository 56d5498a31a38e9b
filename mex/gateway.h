/* The gateway between Octave and the library.  Only mex/ knows Octave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A function of inst/ makes one call,

     [failed, OUT1, OUT2, ...] = __gpueig__ (COMMAND, NOUT, ARG1, ARG2, ...)

   with the user's arguments as they are and the number of outputs that the user
   asked for.  The gateway checks the arguments, parses the options by the
   command's table (commands.c), calls the library and arranges the outputs.
   FAILED is [] on success, otherwise a value of mex_failed.  C code never calls
   Octave's error (): the message would name this file instead of the user's function.

   The files, in the order in which a call passes through them:
     gateway.c    the entry point, the context, interrupts and progress reports
     commands.c   the table of commands and their options; the shortest commands
     options.c    the option parser
     marshal.c    conversion of Octave's arrays to the library's
     marshal_tridiagonal.c    the three diagonals of a full, sparse or lazily stored
                  matrix
     eig.c, jacobi.c, mrrr.c, schur.c, svd.c, tdinv.c, funm.c, eig_file.c    one command each; those
                  of gpu_onesided_eig and gpu_complex_eig are in commands.c
     array_solve.c    arguments and results that are arrays of gpu_array, see gpu_array.h
     solve.c      steps shared by commands: input of a square matrix, solver, outputs
     replace.c    the functions that stand for Octave's own
     results.c    conversion of the library's arrays to Octave's; the outputs of eig
     info.c       the output info; the command of gpu_info
     shared_values.c    calls of Octave's functions; numbers and strings that nearly every
                  call returns
     tune.c       the command of gpu_tune
     testing.c    hooks for tests

   MEX_OCTAVE is the major version of Octave that the file is built for.

   "Lazily stored" are Octave's ranges, diagonal and permutation matrices.  The
   interleaved complex API of Octave 7.3 is broken (bug 64687): complex arrays are
   exchanged with Octave by the planar API, in marshal.c and results.c only.  */

#ifndef GE_GATEWAY_H
#define GE_GATEWAY_H 1

#include "base/solver.h"
#include "gpueig_array.h"
#include "gpueig_testing.h"
#include "gpueig_try.h"

#include <mex.h>

/* --- a call --- */

typedef enum
{
  MEX_FORM_DEFAULT, /* a vector for one output, a matrix for more */
  MEX_FORM_VECTOR,
  MEX_FORM_MATRIX
} mex_form;

/* The options of all commands; each command accepts those of its table.  */
typedef struct
{
  gpueig_options core;
  int form; /* mex_form */
  int balance, qz, widen, economy;
  int order;              /* gpueig_schur_order */
  int is_single;          /* "Class" of a file */
  const mxArray *complex; /* "Complex" of a file; NULL: not given */
  const mxArray *guess, *index, *range, *columns, *band; /* NULL: not given */
} mex_options;

/* The m-file's duty after a failed call.  */
enum mex_failed
{
  MEX_USAGE = -1, /* print_usage () */
  MEX_REFUSED
  = 2, /* Octave's function does it, see replace.c; of arrays copies, see array_solve.c */
  MEX_RAISE = 1 /* errors and warnings, see the command "failures": raised by
                     inst/private/__gpueig_raise__.m */
};

/* Size of mex_call.out, which holds the outputs in the user's order.  */
enum
{
  MEX_OUTPUTS = 4,
  MEX_MADE = 16 /* the most results and steps to them, see mex_call.made */
};

typedef struct
{
  const struct mex_command *command;
  gpueig_context *ctx;
  int n_args;
  const mxArray **args;
  int n_out; /* outputs that the user asked for, at least 1 */
  mxArray *out[MEX_OUTPUTS];
  int failed; /* enum mex_failed */
  const double
      *phase;       /* NULL, or factors of the rows of real vectors, complex */
  int same_vectors; /* nonzero: the left vectors that the user asked for are V */
  int never_qz; /* nonzero: pairs that need the QZ iteration are refused by mex_refuse */
  mex_options options;
  gpueig_info info;
  /* Not 0: the arguments are arrays of gpu_array, this the first, in PLACE, and results
     are MADE there, see array_solve.c.  */
  gpueig_array array, made[MEX_MADE];
  gpueig_place place;
  int n_made;
} mex_call;

typedef gpueig_status mex_function (mex_call *call);

/* --- gateway.c --- */

/* Add a warning with identifier ID to those that status and info cause.  */
void mex_warn (const char *id, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* For tests: raise SIGNAL (SIGINT: Ctrl-C) at the K-th poll for an interrupt or
   progress line from now on; never if K = 0.  Returns the number of polls and lines
   since the previous call.  */
int64_t mex_interrupt_at (int64_t k, int signal);

/* The number of calls of the library that an exception of Octave has unwound.  */
int64_t mex_unwound (void);

/* The info of the last command that was not a hook, for benchmarks.  */
const gpueig_info *mex_last_info (void);

/* --- commands.c --- */

typedef enum
{
  MEX_FLAG,     /* a bare word; stores VALUE as an int */
  MEX_ENUM,     /* one of WORDS; stores its position as an int */
  MEX_WORD,     /* one of WORDS; stores the word */
  MEX_INT,      /* an integer from VALUE to the largest; stores an int */
  MEX_INT64,    /* the same; stores an int64_t */
  MEX_FRACTION, /* a positive number below 1; stores a double */
  MEX_DEVICES,  /* an integer, a vector of them or "all"; stores the devices of
                   gpueig_options */
  MEX_ARRAY     /* anything; stores the array, which the command checks */
} mex_kind;

/* An option: its name in lower case, and the offset of its field in mex_options.  */
typedef struct
{
  const char *name;
  mex_kind kind;
  size_t at;
  int value;
  const char *const *words;
} mex_option;

typedef struct mex_command
{
  const char *name;
  mex_function *run;
  int is_hook; /* nonzero: COMMAND and its own arguments only, no NOUT */
  int least;   /* arguments */
  int matrices; /* so many leading arguments are taken as double if they are logical or
                   integer */
  const char *const *extra; /* the fields of its info after those of all */
  int kind;                 /* gpueig_funm_kind, of mex_funm */
} mex_command;

/* The command of that name, or NULL.  */
const mex_command *mex_find_command (const char *name);

/* The options of each command, ended by a NULL name.  */
extern const mex_option mex_eig_options[], mex_pair_options[],
    mex_jacobi_options[], mex_mrrr_options[], mex_tdinv_options[],
    mex_onesided_options[], mex_complex_options[], mex_schur_options[],
    mex_funm_options[], mex_svd_options[], mex_pinv_options[],
    mex_ordschur_options[], mex_file_options[], mex_array_options[];

mex_function mex_replace, mex_replace_from, mex_eig, mex_jacobi_eig, mex_mrrr,
    mex_tdinv, mex_schur, mex_svd, mex_pinv, mex_ordschur, mex_funm, mex_polar,
    mex_eig_file, mex_place, mex_machine, mex_tune, mex_testing, mex_failures,
    mex_direct_address;

/* --- options.c --- */

/* Parse the arguments from number FIRST on, by TABLE, into call->options.  */
gpueig_status mex_parse_options (mex_call *call, const mex_option *table,
                                 int first);

/* Nonzero if argument number I exists and is not a string, which would be the name of
   an option.  */
int mex_is_array (const mex_call *call, int i);

/* --- marshal.c --- */

/* The number of the array of X, a value of gpu_array.cc; 0 for other values.  */
gpueig_array mex_handle (const mxArray *x);

/* A dense array in the library's layout.  DATA points into the Octave array if that
   has this layout, otherwise to a copy that Octave frees when the command returns, or
   to the data of an array of gpu_array.  */
typedef struct
{
  gpueig_type type;
  int64_t rows, columns, pages; /* pages: product of the further dimensions */
  const void *data;
} mex_matrix;

/* The type of ARRAY.  */
gpueig_type mex_type_of (const mxArray *array);

/* The type of the first COUNT arguments: single if one is, complex if one is.  */
gpueig_type mex_common_type (const mex_call *call, int count);

/* Let number I of X, reals of the precision of TYPE, be VALUE; ge_real_at reads it.  */
static inline void
mex_set_real (gpueig_type type, void *x, int64_t i, double value)
{
  if (gpueig_is_double (type))
    ((double *) x)[i] = value;
  else
    ((float *) x)[i] = (float) value;
}

/* PART: real and imaginary part of element I of X.  */
void mex_parts_at (gpueig_type type, const void *x, int64_t i, double part[2]);

/* The complex and the real type of the same precision.  */
gpueig_type mex_complex_of (gpueig_type type);
gpueig_type mex_real_of (gpueig_type type);

/* Nonzero for arrays of logical or integer elements.  */
int mex_is_discrete (const mxArray *array);

/* GPUEIG_WRONG_TYPE unless ARRAY is of class double or single; WHAT names it in
   the message.  */
gpueig_status mex_check_class (mex_call *call, const mxArray *array,
                               const char *what);

/* As mex_check_class, and GPUEIG_NOT_SQUARE unless its pages are square.  The second function
   checks the dimensions only and does not make a lazily stored matrix full.  */
gpueig_status mex_check_square (mex_call *call, const mxArray *array,
                                const char *what);
gpueig_status mex_check_square_lazy (mex_call *call, const mxArray *array,
                                     const char *what);

/* To be called before the dimensions of ARRAY are asked for, see marshal.c.  */
void mex_touch (const mxArray *array);

/* Convert a full, sparse, range, diagonal or permutation matrix, whose class was
   checked, to TYPE: its own type, a complex one, or the other precision.  An array of
   gpu_array has its own type.  */
gpueig_status mex_get_matrix (mex_call *call, const mxArray *array,
                              gpueig_type type, mex_matrix *matrix);

/* The VALUE of a real scalar of any numeric class; returns 0 if ARRAY is not one.  */
int mex_get_number (const mxArray *array, double *value);

/* The elements of a real array of any numeric class in *NUMBERS; *NUMBERS is
   NULL if it is not one.  */
gpueig_status mex_get_numbers (mex_call *call, const mxArray *array,
                               double **numbers);

/* The dimensions as "2-by-3".  */
typedef char mex_size_text[64];
const char *mex_size (const mxArray *array, mex_size_text text);

int mex_same_size (const mxArray *a, const mxArray *b);

/* GPUEIG_OUT_OF_MEMORY unless COUNT elements of SIZE bytes can be allocated.  */
gpueig_status mex_need_room (mex_call *call, size_t count, size_t size);

/* COUNT elements that Octave frees when the command returns, or NULL with the
   message set.  */
void *mex_scratch (mex_call *call, size_t count, size_t size);

/* Nonzero if complex arrays of BYTES are read and written in place, without a planar
   copy: possible in the known versions of Octave, faster from some size on.
   mex_interleaved: the address of the numbers of such an array, which must be full.  */
int mex_in_place (size_t bytes);
void *mex_interleaved (const mxArray *array);

/* --- replace.c --- */

/* Let Octave's own function be called.  */
gpueig_status mex_refuse (mex_call *call);

/* --- results.c --- */

/* An output of size ROWS-by-COLUMNS by the further dimensions of LIKE (may be NULL).
   The library writes it to DATA, complex numbers interleaved; DATA is NULL if a
   function of Octave computed ARRAY.  */
typedef struct
{
  gpueig_type type;
  int64_t rows, columns;
  const mxArray *like;
  void *data;
  mxArray *array;    /* NULL: made of DATA by mex_put */
  gpueig_array made; /* not 0: an array of gpu_array, whose data are at DATA */
} mex_result;

/* The eigenvalues of an n-by-n matrix or of a stack of them, LIKE: n-by-1, for one
   matrix of order 0 0-by-0, as from eig ([]).  */
mex_result mex_eigenvalues (gpueig_type type, int64_t n, const mxArray *like);

/* Allocate N results, whose types and sizes are set, except those with ROWS = -1.
   GPUEIG_OUT_OF_MEMORY, before the first allocation, if there is not enough memory for
   all of them together.  */
gpueig_status mex_new_results (mex_call *call, mex_result *results, int n);

/* Nonzero if one of the COUNT complex numbers X of TYPE has an imaginary part other than zero.  */
int mex_has_imaginary (gpueig_type type, const void *x, int64_t count);

/* Output I, if the user asked for it: R, where a complex one whose imaginary parts are all
   zero becomes real, as in Octave; the info of the call.  */
gpueig_status mex_put (mex_call *call, int i, mex_result *r);
void mex_put_info (mex_call *call, int i);

/* Replace R by a smaller result with its first ROWS * COLUMNS numbers.  */
gpueig_status mex_shrink_result (mex_call *call, mex_result *r, int64_t rows,
                                 int64_t columns);

/* R becomes the diagonal matrix, or pages, ROWS-by-COLUMNS, of its values, which a MEX file
   cannot make.  */
gpueig_status mex_make_diagonal (mex_call *call, mex_result *r, int64_t rows,
                                 int64_t columns);

/* Set the outputs in the order of eig: eigenvalues LAMBDA alone, or vectors V,
   eigenvalues, left vectors W (NULL: equal to V) and info.  */
gpueig_status mex_eigen_outputs (mex_call *call, mex_result *lambda,
                                 mex_result *v, mex_result *w);

/* --- shared_values.c ---

   Calls of Octave's functions, and values of Octave for outputs and for arguments of
   these functions.  Most values are kept for later calls: the caller must neither change
   nor free them.  */

/* The outputs of Octave's built-in function NAME, even if the user has defined a
   function of that name; the second form returns one output.  Where MEX_TAKEN_OVER,
   outputs may share memory with arguments that this file has created, and with which it
   disappears: pass mex_own of these, if the output can be a part of them.  */
enum
{
  MEX_MOST_ARGS = 64
};
void mex_builtin (const char *name, int n_out, mxArray *out[], int n_in,
                  mxArray *in[]);
mxArray *mex_builtin_1 (const char *name, int n_in, mxArray *in[]);

/* Nonzero if Octave takes the memory of arrays over, as versions 10 and newer do, and
   does not copy them.  */
enum
{
#ifdef OCTAVE_HAVE_STD_PMR_POLYMORPHIC_ALLOCATOR
  MEX_TAKEN_OVER = 1
#else
  MEX_TAKEN_OVER = 0
#endif
};

/* A value of Octave, which has its own memory, equal to the full numeric ARRAY, which
   becomes invalid.  */
mxArray *mex_own (mxArray *array);

mxArray *mex_empty (int rows); /* ROWS-by-0, ROWS 0 or 1 */
mxArray *mex_flag (int value); /* 0 or 1 as a logical */
mxArray *mex_number (double value);
mxArray *mex_text (const char *text);

/* A new scalar struct with N fields; it is not kept for later calls.  */
mxArray *mex_struct (int n, const char *const names[], mxArray *const values[]);

/* --- info.c --- */

/* INFO as a struct with the fields of all functions and those in EXTRA, ended by NULL; 0
   if a method has not set them.  What solvers set besides them is not returned.  */
mxArray *mex_info (const gpueig_info *info, const char *const *extra);

/* --- marshal_tridiagonal.c --- */

/* The three diagonals of a square matrix, of TYPE: C below, A on and B above the main
   diagonal.  AT is 0, or the column-major index, from 1, of a nonzero element outside
   the three diagonals; FINITE tells whether this element is finite.  For a STACK, and
   if AT is not 0, C, A and B are not set.  */
typedef struct
{
  gpueig_type type;
  int64_t n, at;
  int finite, stack;
  void *c, *a, *b;
} mex_tridiagonal;

/* Checks class and shape of ARRAY, which WHAT names in messages.  */
gpueig_status mex_get_tridiagonal (mex_call *call, const mxArray *array,
                                   const char *what, mex_tridiagonal *t);

/* --- array_solve.c --- */

/* Set array and place of CALL, if its first argument is an array.  */
gpueig_status mex_find_place (mex_call *call, const mex_command *command);

/* *DATA: the elements of ARRAY in the place of CALL, of TYPE.  */
gpueig_status mex_array_data (mex_call *call, gpueig_array array,
                              gpueig_type type, const void **data);

/* Free what was made and, if the call is GOOD, is no output.  */
void mex_free_made (mex_call *call, int good);

/* mex_new_results, mex_put, mex_make_diagonal, mex_shrink_result, with the sizes in R, and a
   copy of R for another output, where call->array is not 0.  mex_join_arrays: RE becomes RE + i IM.  */
gpueig_status mex_new_array (mex_call *call, mex_result *r);
mxArray *mex_number_of (gpueig_array array);
gpueig_status mex_diagonal_array (mex_call *call, mex_result *r, int64_t rows,
                                  int64_t columns);
gpueig_status mex_shrink_array (mex_call *call, mex_result *r);
gpueig_status mex_same_array (mex_call *call, const mex_result *r,
                              mxArray **out);
gpueig_status mex_join_arrays (mex_call *call, mex_result *re,
                               const mex_result *im);

/* --- mrrr.c --- */

/* Set p->select and its limits from the options "Index" and "Range"; p->n is the order.
   STACK: the argument is a stack.  mex_get_index: from "Index", which was given.  */
gpueig_status mex_get_selection (mex_call *call, gpueig_symmetric *p,
                                 int stack);
gpueig_status mex_get_index (mex_call *call, gpueig_symmetric *p);

/* --- solve.c --- */

/* The error for a wrong number of arguments.  */
gpueig_status mex_usage (mex_call *call);

/* The first steps of commands of one square matrix or stack: parse the OPTIONS after it, convert
   the matrix.  */
gpueig_status mex_get_square (mex_call *call, const mex_option *options,
                              mex_matrix *m);

/* Nonzero for a matrix without elements, of any size: eig treats it, and a pair with it, as
   0-by-0.  */
int mex_is_empty (const mxArray *x);

/* The first two arguments, a pair of one type and size; with EMPTY one that is empty may have
   another size.  */
gpueig_status mex_get_pair (mex_call *call, int empty, mex_matrix *a,
                            mex_matrix *b);

/* GPUEIG_BAD_OPTION for options of the backend "mpi" if another backend is given.  */
gpueig_status mex_check_workers (mex_call *call);

typedef gpueig_status mex_symmetric_solver (gpueig_context *,
                                            const gpueig_symmetric *,
                                            const gpueig_options *,
                                            gpueig_info *);
typedef gpueig_status mex_general_solver (gpueig_context *,
                                          const gpueig_general *,
                                          const gpueig_options *,
                                          gpueig_info *);

/* Solve PROBLEM, whose inputs and selection are set, for the outputs that the user asked
   for, of the shape of LIKE.  */
gpueig_status mex_solve_symmetric (mex_call *call, mex_symmetric_solver *solver,
                                   gpueig_symmetric *problem,
                                   const mxArray *like);
gpueig_status mex_solve_general (mex_call *call, mex_general_solver *solver,
                                 gpueig_general *problem, const mxArray *like);

/* --- funm.c --- */

/* The warnings of inv.  */
void mex_warn_of_rcond (gpueig_type type, double rcond);

#endif
