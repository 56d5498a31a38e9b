/* gpueig: eigenvalues, singular values, functions of matrices, on GPU and CPU
   Copyright (C) 2026 The gpueig developers
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The public interface of the C library under the Octave functions.

   Conventions
   -----------
   Storage.  Matrices are dense, column-major and without padding: element (i, j) of
   an n-by-n matrix is a[i + n*j].  A stack of pages is contiguous, page p starts at
   a + n*n*p.  There is no other leading dimension: stacks go as one block to GPUs
   and processes.  Complex numbers are interleaved (re, im), as C's own complex types.
   Sizes are int64_t; products are checked.

   Types.  gpueig_type names the scalar type of a matrix.  Eigenvalues of a
   symmetric or Hermitian matrix are of the real type of the same precision.

   Ownership.  The caller owns every array of a problem; inputs are never
   written, so outputs must not overlap inputs or each other.  A NULL output is
   not computed.  Scratch memory belongs to the context, which keeps some of it
   between calls (gpueig_trim gives it back).

   Places.  The matrices, diagonals and eigenvalues of a problem are in host memory or,
   if its PLACE is GPUEIG_DEVICE, all in memory of a GPU, aligned as their type; on
   another GPU than that of the options they are copied.  Indices and numbers per page,
   among them found, indefinite, symmetric, columns, rcond and rank, are in host memory
   always.  A call first waits for the legacy default stream of the GPU that has the
   arrays, so for the streams that are ordered with it; for work on other streams the
   caller waits.  Results are complete on return.  They are those of the call with host
   memory, bit for bit, where the same backend computes them; GPUEIG_AUTO chooses it
   without the time of transfers.  What the CPU computes is copied there and back.

   Options and info.  OPTIONS may be NULL, which means gpueig_default_options ();
   so may INFO.  A solver reads the options that its comment names and ignores
   the others.  Both backends have the same options and defaults:
     backend GPUEIG_AUTO, device 0, method "auto", high_accuracy 0, display 0,
     tol and max_sweeps 0, which stand for:
       gpueig_jacobi_eig     eps, 50 sweeps
       gpueig_onesided_eig   eps sqrt (n), 40 sweeps
       gpueig_complex_eig    at most 1e-4 (single) or 1e-9 (double) by backend,
                             12 + 5 ceil (log2 (n)) sweeps
   where eps is that of the precision of the problem.

   Errors.  Every function that can fail returns a gpueig_status.  0 is success;
   gpueig_message (ctx) then is "".  On failure outputs are unspecified, nothing
   leaks and the context stays usable.  GPUEIG_NO_CONVERGENCE alone is a
   warning: outputs hold the best that was reached.  The text of gpueig_message
   lives in the context until its next call.  Statuses of every solver:
     BAD_ARGUMENT, BAD_OPTION, WRONG_TYPE (invalid arguments of the C caller),
     NONFINITE (NaN or Inf in the input), NO_DEVICE (only with GPUEIG_CUDA),
     OUT_OF_MEMORY, DEVICE_ERROR, INTERRUPTED, SOLVER_FAILED (LAPACK or cuSOLVER
     did not converge, or its result failed the verification, and no other
     solver is available)
   and of some of them: NOT_SYMMETRIC (symmetric problems, gpueig_mrrr),
   NOT_DEFINITE (gpueig_eig_symmetric with B), NO_CONVERGENCE (Jacobi methods
   with a sweep limit), NO_WORKER, WORKER and IO (GPUEIG_MPI and
   gpueig_eig_file).  The library does not return NOT_SQUARE, NOT_TRIDIAGONAL and
   BAD_LENGTH: they are for gateways, whose arrays carry their own sizes.

   CUDA.  The backend is a plugin, gpueig_cuda.so, loaded by the first call that may
   use a GPU.  Unless gpueig_set_plugin names the file, it is searched for in the
   folder of the file that contains this library and in its subfolder gpueig.

   Threads.  A context must be used by one thread at a time; different contexts
   are independent.  Solvers create threads of their own, but call the callbacks
   only from the thread that called the solver.

   Determinism.  The same input on the same machine with the same number of
   threads gives the same bits.  */

#ifndef GPUEIG_H
#define GPUEIG_H 1

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#  define GPUEIG_BEGIN_C                                                       \
    extern "C"                                                                 \
    {
#  define GPUEIG_END_C }
#else
#  define GPUEIG_BEGIN_C
#  define GPUEIG_END_C
#endif

#ifdef __GNUC__
#  pragma GCC visibility push(default)
#endif
GPUEIG_BEGIN_C

#define GPUEIG_VERSION "0.3.0"

/* Statuses: name, identifier for Octave's error () or warning (), text.  */
#define GPUEIG_STATUS_LIST(X)                                                  \
  X (OK, "", "success")                                                        \
  X (BAD_ARGUMENT, "gpueig:bad-argument", "invalid argument")                  \
  X (NOT_SQUARE, "gpueig:not-square", "matrix is not square")                  \
  X (NOT_SYMMETRIC, "gpueig:not-symmetric", "matrix is not symmetric")         \
  X (NOT_DEFINITE, "gpueig:not-definite", "matrix is not positive definite")   \
  X (NOT_TRIDIAGONAL, "gpueig:not-tridiagonal", "matrix is not tridiagonal")   \
  X (BAD_LENGTH, "gpueig:bad-length", "vectors of incompatible lengths")       \
  X (NONFINITE, "gpueig:nonfinite", "matrix has NaN or Inf values")            \
  X (WRONG_TYPE, "gpueig:wrong-type", "wrong type of argument")                \
  X (BAD_OPTION, "gpueig:bad-option", "invalid option")                        \
  X (NO_DEVICE, "gpueig:no-device", "no usable GPU")                           \
  X (OUT_OF_MEMORY, "gpueig:out-of-memory", "out of memory")                   \
  X (DEVICE_ERROR, "gpueig:device-error", "CUDA error")                        \
  X (NO_CONVERGENCE, "gpueig:no-convergence", "no convergence")                \
  X (SOLVER_FAILED, "gpueig:solver-failed", "a library's solver failed")       \
  X (INTERRUPTED, "gpueig:interrupted", "interrupted by the user")             \
  X (DEVICE_LOST, "gpueig:device-lost", "the array's GPU is lost")             \
  X (NONCONFORMANT, "Octave:nonconformant-args", "nonconformant arguments")    \
  X (BAD_INDEX, "Octave:index-out-of-bounds", "index out of bounds")           \
  X (NO_WORKER, "gpueig:no-worker", "no MPI launcher or worker program")       \
  X (WORKER, "gpueig:worker", "an MPI process failed")                         \
  X (IO, "gpueig:io", "a file cannot be read or written")                      \
  X (WRONG_BLAS, "gpueig:wrong-blas",                                          \
     "BLAS and LAPACK have integers of 64 bits, gpueig needs 32 bits")

typedef enum
{
#define GPUEIG_STATUS_ENUM(name, id, text) GPUEIG_##name,
  GPUEIG_STATUS_LIST (GPUEIG_STATUS_ENUM)
#undef GPUEIG_STATUS_ENUM
} gpueig_status;

typedef enum
{
  GPUEIG_FLOAT,
  GPUEIG_DOUBLE,
  GPUEIG_COMPLEX_FLOAT,
  GPUEIG_COMPLEX_DOUBLE
} gpueig_type;

typedef enum
{
  GPUEIG_AUTO,
  GPUEIG_CPU,
  GPUEIG_CUDA,
  GPUEIG_MPI /* symmetric problems in MPI processes; GPUEIG_AUTO never takes it */
} gpueig_backend;

/* The place of the arrays of a problem, see above.  */
typedef enum
{
  GPUEIG_HOST,
  GPUEIG_DEVICE
} gpueig_place;

typedef struct gpueig_context gpueig_context;

static inline int
gpueig_is_complex (gpueig_type type)
{
  return type == GPUEIG_COMPLEX_FLOAT || type == GPUEIG_COMPLEX_DOUBLE;
}

static inline int
gpueig_is_double (gpueig_type type)
{
  return type == GPUEIG_DOUBLE || type == GPUEIG_COMPLEX_DOUBLE;
}

/* Bytes of a real number of the precision of TYPE.  */
static inline size_t
gpueig_real_size (gpueig_type type)
{
  return gpueig_is_double (type) ? sizeof (double) : sizeof (float);
}

/* Bytes of an element of TYPE.  */
static inline size_t
gpueig_scalar_size (gpueig_type type)
{
  return gpueig_real_size (type) << gpueig_is_complex (type);
}

#define GPUEIG_MAX_DEVICES 16

enum
{
  GPUEIG_ALL_DEVICES = -1
};

/* Options common to all solvers; start from gpueig_default_options ().  Each
   solver documents what it reads.

   With several DEVICES the pages of a stack, the columns of an inverse and the
   spectrum of a tridiagonal matrix are divided into contiguous shares, one per
   GPU; problems too small for this run on the first of them.  The results are
   those of a single GPU of the same model, bit for bit.  */
typedef struct
{
  gpueig_backend backend; /* GPUEIG_AUTO: the faster one for this call */
  int device;    /* number of the GPU, from 0; read if N_DEVICES is 0 */
  int n_devices; /* of DEVICES; or 0: DEVICE alone; GPUEIG_ALL_DEVICES */
  int devices[GPUEIG_MAX_DEVICES];
  const char *method; /* "auto" or NULL, or a name that the solver documents */
  double tol;         /* relative threshold; 0: the solver's default */
  int64_t max_sweeps; /* 0: the solver's default */
  int64_t max_rotations; /* classical Jacobi only; 0: no limit */
  int high_accuracy;     /* Jacobi solvers: high relative accuracy */
  int display;           /* nonzero: report one line per sweep or stage */
  int workers;           /* GPUEIG_MPI: number of processes; 0: one per core */
} gpueig_options;

/* Information that a solver returns on its run.  */
#define GPUEIG_MAX_HISTORY 128
#define GPUEIG_MAX_EXTRA 8

typedef struct
{
  char backend[8]; /* "cpu", "cuda" or "mpi" */
  int device;      /* GPU used, the first one of several, -1 on the CPU */
  int n_devices;   /* how many GPUs were used, 0 on the CPU */
  int devices[GPUEIG_MAX_DEVICES];
  char method[24];   /* a name for gpueig_options: with it the results have the
                        same bits; "auto" where no method did all of the work */
  char fallback[24]; /* "", or the solver used where METHOD failed */
  int converged;     /* 1 unless the sweep limit was reached */
  int64_t sweeps; /* largest number of any page; 0 for methods without sweeps */
  int n_off;      /* length of the convergence history OFF */
  double off[GPUEIG_MAX_HISTORY];
  double time_total;    /* seconds, wall clock */
  double time_transfer; /* seconds, host <-> device */
  double time_solve;    /* seconds by the device's clock, without transfers; on
                             the CPU wall clock of the solver */
  int64_t memory;  /* largest scratch memory in use, bytes, host and device */
  int device_lost; /* 1 in the first call with GPUEIG_AUTO that succeeds
                             after a fault of the GPU, see gpueig_device_fault */
  int n_extra;     /* number of further values, documented by the solver */
  struct
  {
    const char *name;
    double value;
  } extra[GPUEIG_MAX_EXTRA];
} gpueig_info;

/* Write to TEXT, of SIZE bytes, a warning for an INFO whose FALLBACK is not "": which
   method failed, and which solver was used instead.  */
void gpueig_fallback_text (const gpueig_info *info, char *text, size_t size);

/* Functions that solvers call between sweeps or stages; each may be NULL.  */
typedef struct
{
  int (*interrupted) (void *data); /* nonzero: stop with GPUEIG_INTERRUPTED */
  void (*report) (void *data, const char *line); /* LINE has no newline */
  void *data; /* first argument of the callbacks */
} gpueig_callbacks;

/* Create a context, which the caller must pass to gpueig_destroy.  No GPU is
   initialized before the first call that may use one.  gpueig_destroy waits for a
   detached job, see gpueig_detached.  */
gpueig_status gpueig_create (gpueig_context **ctx);
void gpueig_destroy (gpueig_context *ctx);

/* For callers whose callbacks may leave a solver by an exception or longjmp: return
   CTX to its state between two calls (scratch memory released, numbers of threads
   restored).  To be called before the next solver.  Returns nonzero if a call had
   been left; otherwise it does nothing.  */
int gpueig_reset (gpueig_context *ctx);

/* Nonzero while a computation of an interrupted call still runs on a separate
   thread (a detached job), because its LAPACK or cuSOLVER driver cannot be
   stopped.  There is at most one, in calls with several GPUs one per GPU; a call
   that may need such a thread first waits for it.  */
int gpueig_detached (gpueig_context *ctx);

void gpueig_set_callbacks (gpueig_context *ctx, const gpueig_callbacks *cb);

/* Set the file name of the CUDA plugin, instead of the default (see above); NULL or
   "": use no plugin.  A plugin that was loaded is unloaded.  */
gpueig_status gpueig_set_plugin (gpueig_context *ctx, const char *file);

/* Set the file name of the program gpueig-worker; NULL or "": there is none.  The
   environment variable GPUEIG_WORKER takes precedence.  */
gpueig_status gpueig_set_worker (gpueig_context *ctx, const char *file);

/* Message of the last failure, without the name of the function.  */
const char *gpueig_message (const gpueig_context *ctx);
/* Set the message of CTX and return STATUS: for solvers and gateways.  */
gpueig_status gpueig_fail (gpueig_context *ctx, gpueig_status status,
                           const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 3, 4)))
#endif
    ;

/* The identifier and the text of STATUS; "" and "unknown status" for other numbers.  */
const char *gpueig_status_id (gpueig_status status);
const char *gpueig_status_text (gpueig_status status);

/* Free cached scratch memory.  */
void gpueig_trim (gpueig_context *ctx);

/* Bytes of scratch memory held by CTX: in use and cached.  */
int64_t gpueig_memory (const gpueig_context *ctx);

gpueig_options gpueig_default_options (void);

/* Set the devices of OPTIONS from TEXT: "all", or numbers separated by commas, as
   in the environment variable GPUEIG_DEVICE.  Otherwise GPUEIG_BAD_OPTION.  */
gpueig_status gpueig_set_devices (gpueig_context *ctx, const char *text,
                                  gpueig_options *options);

/* --- backends and devices of this machine --- */
typedef struct
{
  char name[128];
  int compute_capability[2];
  int multiprocessors;
  double rate[2];      /* single, double: operations per second at most, without
                          tensor instructions; 0: unknown */
  double bandwidth;    /* of the memory, bytes per second */
  int64_t memory;      /* bytes */
  int64_t memory_free; /* bytes, 0: unknown */
  char reason[256];    /* why this build cannot use it; "" if it can */
} gpueig_device;

typedef struct
{
  int cuda;            /* 1 if the CUDA backend can be used */
  char reason[256];    /* if CUDA is 0: the reason */
  int runtime_version; /* of CUDA: 13000 is 13.0; 0 without CUDA */
  int driver_version;
  char
      engines[64]; /* installed libraries that solve one matrix on several GPUs,
                       "" if none */
  int n_devices;
  gpueig_device device[GPUEIG_MAX_DEVICES];
  int threads;           /* of the CPU backend: omp_get_max_threads () */
  char blas[128];        /* version string of OpenBLAS, "" with another BLAS */
  int blas_threads;      /* threads of OpenBLAS, 0 with another BLAS */
  int mpi;               /* 1 if the MPI backend can be used */
  char mpi_engines[128]; /* solvers of the program: ELPA, ScaLAPACK */
  char mpi_reason[256];  /* if MPI is 0: the reason */
} gpueig_machine;

/* Load the plugin, query the CUDA driver and the worker program, and fill in
   *MACHINE.  Reports no error: reasons are in *MACHINE.  */
void gpueig_query (gpueig_context *ctx, gpueig_machine *machine);

/* The fault that made the GPU unusable, e.g. "cudaErrorIllegalAddress in
   pack_kernel", or "".  CUDA cannot recover from such a fault within a process.
   The call in which it occurred returns GPUEIG_DEVICE_ERROR or, with GPUEIG_AUTO,
   is repeated on the CPU; later calls with GPUEIG_AUTO use the CPU, with
   GPUEIG_CUDA they return GPUEIG_NO_DEVICE.  Memory of the lost GPU is not freed.  */
const char *gpueig_device_fault (const gpueig_context *ctx);

/* --- inverse of a tridiagonal matrix --- */
/* X = inv (T), T of order n with subdiagonal C (n-1 numbers), diagonal A (n) and
   superdiagonal B (n-1), all of type TYPE.
     columns    NULL for all of X, or n_columns indices from 0 in any order
     band       < 0, or k >= 0: only the entries |i - j| <= k; columns must be NULL
     x          n-by-n or n-by-n_columns; with a band (2k+1)-by-n, entry (i, j)
                at row k + i - j of column j, positions outside the matrix are zero
     x_im       NULL: complex numbers are interleaved in x; else x gets the real
                and x_im the imaginary parts
     rcond      NULL, or on exit 1 / (norm (T, 1) norm (X, 1)) for the whole
                inverse X (O(n) work)
   For a singular T the status is GPUEIG_OK, rcond is 0 and all entries of X are
   Inf.  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  const void *c, *a, *b;
  const int64_t *columns;
  int64_t n_columns;
  int64_t band;
  void *x, *x_im;
  double *rcond;
  gpueig_place place;
} gpueig_tdinv_problem;

/* Methods:
     "generators"        generators of the semiseparable inverse by O(n)
                         recurrences in double-double, then every entry by a product,
                         with an error of about two ulp, for any nonsingular T
     "sherman-morrison"  the recursive Sherman-Morrison formula, for the whole inverse of a
                         diagonally dominant T of doubles; else "generators" (fallback)
     "auto"              "generators"
   O(n) memory in addition to X ("sherman-morrison" O(n log n)).  */
gpueig_status gpueig_tdinv (gpueig_context *ctx,
                            const gpueig_tdinv_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

/* The index (column-major, from 0) of the first nonzero element outside the three
   diagonals of the n-by-n matrix X of TYPE, or -1.  O(n^2), memory bound.  */
int64_t gpueig_outside_tridiagonal (gpueig_context *ctx, gpueig_type type,
                                    int64_t n, const void *x);

/* Copy the real parts of COUNT complex numbers FROM, of TYPE, to RE and, unless IM is
   NULL, the imaginary parts to IM.  */
void gpueig_split (gpueig_context *ctx, gpueig_type type, int64_t count,
                   const void *from, void *re, void *im);

/* Compare BYTES of host memory with the available memory and swap of the machine and
   of the control groups of the process; GPUEIG_OUT_OF_MEMORY, with both numbers and
   WHAT in the message, if BYTES is larger.  Up to 16 MiB always pass.  Allocates
   nothing.  Call it for the sum of all results before they are allocated: then the
   solver knows that memory that they have not written yet is not available.  */
gpueig_status gpueig_need_memory (gpueig_context *ctx, double bytes,
                                  const char *what);

/* --- what a call would do ---

   gpueig_plan returns, without a computation or an allocation, which backend and method a
   call would take, and about how long.  Times come from measurements: those of
   gpueig_tune on this machine, or those that the library contains, which are
   estimates on other machines.
     pair         (A, B)
     guess        with a guess
     tridiagonal  of gpueig_mrrr: d and e instead of A
     on_device    the data is on the GPU: without transfers  */
typedef enum
{
  GPUEIG_FUNCTION_EIG_SYMMETRIC,
  GPUEIG_FUNCTION_EIG_GENERAL,
  GPUEIG_FUNCTION_JACOBI_EIG,
  GPUEIG_FUNCTION_ONESIDED_EIG,
  GPUEIG_FUNCTION_COMPLEX_EIG,
  GPUEIG_FUNCTION_MRRR,
  GPUEIG_FUNCTION_TDINV,
  GPUEIG_FUNCTION_SCHUR,
  GPUEIG_FUNCTION_SVD
} gpueig_function;

typedef struct
{
  gpueig_function function;
  gpueig_type type;
  int64_t n, pages;
  int vectors, pair, guess, tridiagonal, on_device;
} gpueig_task;

/* An attempt that follows for a problem, or for pages of it, that the method before does
   not solve.  */
typedef struct
{
  gpueig_backend backend;
  char method[24];
  char reasons[80]; /* for which this follows */
} gpueig_attempt;

enum
{
  GPUEIG_ATTEMPTS = 8 /* the most */
};

typedef struct
{
  gpueig_backend backend;
  char method
      [24]; /* the fastest by these times; a solver may choose by the data */
  double seconds;                   /* of this method; 0: unknown */
  int estimated;                    /* nonzero: not measured on this machine */
  int64_t host_bytes, device_bytes; /* of scratch memory, about */
  int n_attempts;                   /* that may follow, in their order */
  gpueig_attempt attempts[GPUEIG_ATTEMPTS];
} gpueig_forecast;

gpueig_status gpueig_plan (gpueig_context *ctx, const gpueig_task *task,
                           const gpueig_options *options,
                           gpueig_forecast *forecast);

/* Measure the solvers on this machine for about SECONDS, those used most first, and
   write the times to the file of this machine: GPUEIG_TIMES, else
   gpueig/times-GPU-CPU-THREADS.csv in the user's configuration folder.  Reports a line for
   each method.  After an interrupt what was measured is kept, and the status is
   GPUEIG_INTERRUPTED.  */
gpueig_status gpueig_tune (gpueig_context *ctx, double seconds);

/* Remove that file.  */
gpueig_status gpueig_forget_times (gpueig_context *ctx);

/* The file of times that "auto" uses, or "builtin"; valid until the next call.  */
const char *gpueig_times_in_use (gpueig_context *ctx);

GPUEIG_END_C

#include "gpueig_eig.h"
#include "gpueig_file.h"
#include "gpueig_functions.h"
#include "gpueig_schur.h"
#include "gpueig_svd.h"
#ifdef __GNUC__
#  pragma GCC visibility pop
#endif

#endif
