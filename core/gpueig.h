/* gpueig: eigenvalues and inverses on the GPU and on the CPU
   Copyright (C) 2026 The gpueig developers
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The public interface of the C library under the Octave functions.

   Conventions
   -----------
   Storage.  Matrices are dense and column-major with leading dimension n:
   element (i, j) of an n-by-n matrix is a[i + n*j].  A stack of pages is
   contiguous, page p starts at a + n*n*p.  There is no other leading dimension,
   since stacks go as one block to GPUs, threads and other processes; copying a
   submatrix costs the caller O(n^2).  Complex numbers are interleaved (re, im),
   as C's own complex types.  Sizes are int64_t and products of sizes are checked.

   Types.  gpueig_type names the scalar type of a matrix.  Eigenvalues of a
   symmetric or Hermitian matrix are of the real type of the same precision.

   Ownership.  The caller owns every array of a problem; inputs are never
   written, so outputs must not overlap inputs or each other.  A NULL output is
   not computed.  Scratch memory belongs to the context, which keeps some of it
   between calls (gpueig_trim gives it back).

   Options and info.  OPTIONS may be NULL, which means gpueig_default_options ();
   so may INFO.  A solver reads the options that its comment names and ignores
   the others.  Both backends have the same options and defaults:
     backend GPUEIG_AUTO, device 0, method "auto", high_accuracy 0, display 0,
     tol and max_sweeps 0, which stand for:
       gpueig_jacobi_eig     eps, 50 sweeps
       gpueig_onesided_eig   eps sqrt (n), 40 sweeps
       gpueig_complex_eig    1e-4 (single), 1e-9 or less (double), 12 + 5 log2 (n) sweeps
   where eps is that of the precision of the problem.

   Errors.  Every function that can fail returns a gpueig_status.  0 is success;
   gpueig_message (ctx) then is "".  On failure outputs are unspecified, nothing
   leaks and the context stays usable.  GPUEIG_NO_CONVERGENCE alone is a
   warning: outputs hold the best that was reached.  The text of gpueig_message
   lives in the context until its next call.  Statuses of every solver:
     BAD_ARGUMENT, BAD_OPTION (what a C caller got wrong), NONFINITE,
     NO_DEVICE (GPUEIG_CUDA alone), OUT_OF_MEMORY, DEVICE_ERROR, INTERRUPTED,
     SOLVER_FAILED (LAPACK or cuSOLVER did not converge, or its result failed the
     verification, and there is no other solver)
   and of single ones: NOT_SYMMETRIC (symmetric problems, gpueig_mrrr),
   NOT_DEFINITE (gpueig_eig_symmetric with B), NO_CONVERGENCE (Jacobi methods
   with a sweep limit).  The rest belongs to gateways.

   CUDA.  The backend is a plugin, gpueig_cuda.so, loaded by the first call that
   wants a GPU.  Unless gpueig_set_plugin names the file, it is the one beside the
   file that holds this library, or in the folder gpueig beside that file.

   Threads.  A context serves one thread at a time; different contexts are
   independent.  Solvers use threads inside, callbacks are only ever
   called from the thread that called the solver.

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

#define GPUEIG_VERSION "0.2.0"

/* What can go wrong: name, identifier for error () or warning (), text.  */
#define GPUEIG_STATUS_LIST(X)                                                  \
  X (OK, "", "success")                                                        \
  X (BAD_ARGUMENT, "gpueig:bad-argument", "invalid argument")                  \
  X (NOT_SQUARE, "gpueig:not-square", "matrix is not square")                  \
  X (NOT_SYMMETRIC, "gpueig:not-symmetric", "matrix is not symmetric")         \
  X (NOT_DEFINITE, "gpueig:not-definite", "matrix is not positive definite")   \
  X (NOT_TRIDIAGONAL, "gpueig:not-tridiagonal", "matrix is not tridiagonal")   \
  X (BAD_LENGTH, "gpueig:bad-length", "vectors of lengths that do not fit")    \
  X (NONFINITE, "gpueig:nonfinite", "matrix has NaN or Inf values")            \
  X (WRONG_TYPE, "gpueig:wrong-type", "wrong type of argument")                \
  X (BAD_OPTION, "gpueig:bad-option", "invalid option")                        \
  X (NO_DEVICE, "gpueig:no-device", "no usable GPU")                           \
  X (OUT_OF_MEMORY, "gpueig:out-of-memory", "out of memory")                   \
  X (DEVICE_ERROR, "gpueig:device-error", "CUDA error")                        \
  X (NO_CONVERGENCE, "gpueig:no-convergence", "no convergence")                \
  X (SOLVER_FAILED, "gpueig:solver-failed", "a library's solver gave up")      \
  X (INTERRUPTED, "gpueig:interrupted", "interrupted by the user")             \
  X (NO_WORKER, "gpueig:no-worker", "no program for other processes")          \
  X (WORKER, "gpueig:worker", "another process failed")                        \
  X (IO, "gpueig:io", "a file cannot be read or written")

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
  GPUEIG_MPI /* symmetric problems in other processes; never by GPUEIG_AUTO */
} gpueig_backend;

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

/* Bytes of an element, and of a real of the same precision.  */
static inline size_t
gpueig_real_size (gpueig_type type)
{
  return gpueig_is_double (type) ? sizeof (double) : sizeof (float);
}

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
   spectrum of a tridiagonal matrix are divided into contiguous shares, one a
   GPU; what is too small for that runs on the first of them.  The results have
   the bits that one GPU of that kind gives.  */
typedef struct
{
  gpueig_backend backend; /* GPUEIG_AUTO: what is faster for this call */
  int device;             /* which GPU, from 0 */
  int n_devices;          /* several: how many of DEVICES, GPUEIG_ALL_DEVICES:
                             every one; 0: DEVICE alone */
  int devices[GPUEIG_MAX_DEVICES];
  const char *method;    /* "auto" or a name that the solver documents */
  double tol;            /* relative threshold; 0: the solver's own */
  int64_t max_sweeps;    /* 0: the solver's own limit */
  int64_t max_rotations; /* classical Jacobi only; 0: no limit */
  int high_accuracy;     /* keep high relative accuracy, Jacobi solvers */
  int display;           /* report one line per sweep or stage */
  int workers;           /* GPUEIG_MPI: processes; 0: one for each core */
} gpueig_options;

/* What a solver reports about its work.  */
#define GPUEIG_MAX_HISTORY 128
#define GPUEIG_MAX_EXTRA 8

typedef struct
{
  char backend[8]; /* "cpu", "cuda" or "mpi" */
  int device;      /* GPU used, the first one of several, -1 on the CPU */
  int n_devices;   /* how many GPUs were used, 0 on the CPU */
  int devices[GPUEIG_MAX_DEVICES];
  char method[24];   /* the method that ran */
  char fallback[24]; /* "", or the solver that finished the job */
  int converged;     /* 1 unless the sweep limit was reached */
  int64_t sweeps;    /* of the slowest page; 0 for methods without sweeps */
  int n_off;         /* length of the convergence history */
  double off[GPUEIG_MAX_HISTORY];
  double time_total;    /* seconds, wall clock */
  double time_transfer; /* seconds, host <-> device */
  double time_solve;    /* seconds on the device's clock, data resident; on
                             the CPU the wall clock of the solver */
  int64_t memory;       /* bytes of scratch memory at the most, all kinds */
  int device_lost;      /* 1 in the first call with GPUEIG_AUTO that succeeds
                             after a fault of the GPU, see gpueig_device_fault */
  int n_extra;          /* further figures that a solver documents */
  struct
  {
    const char *name;
    double value;
  } extra[GPUEIG_MAX_EXTRA];
} gpueig_info;

/* The text of a warning for a fallback in INFO: what could not be done, and which
   solver finished the job.  */
void gpueig_fallback_text (const gpueig_info *info, char *text, size_t size);

/* Called between sweeps or stages.  */
typedef struct
{
  int (*interrupted) (void *data); /* nonzero: stop, GPUEIG_INTERRUPTED */
  void (*report) (void *data, const char *line); /* no newline at the end */
  void *data;
} gpueig_callbacks;

/* --- context --- */
/* On success *CTX must be given to gpueig_destroy.  Touches no GPU: that is
   done by the first call that wants one.  gpueig_destroy waits for a detached
   job, see gpueig_detached.  */
gpueig_status gpueig_create (gpueig_context **ctx);
void gpueig_destroy (gpueig_context *ctx);

/* Return CTX to its state between two calls: scratch memory released, numbers
   of threads restored.  For callers whose exceptions can unwind a call, before
   the next one.  Returns nonzero if there was such a call; otherwise it does
   nothing.  */
int gpueig_reset (gpueig_context *ctx);

/* Nonzero while a computation of an interrupted call still runs on a thread of
   its own.  Some LAPACK and cuSOLVER drivers cannot be stopped; there is at
   most one such job, one a GPU in calls with several, and calls that may leave
   another wait for it.  */
int gpueig_detached (gpueig_context *ctx);

void gpueig_set_callbacks (gpueig_context *ctx, const gpueig_callbacks *cb);

/* File name of the CUDA plugin instead of the default one (see above).  NULL or
   "": there is none.  Setting it unloads what was loaded.  */
gpueig_status gpueig_set_plugin (gpueig_context *ctx, const char *file);

/* File name of the program gpueig-worker, which the environment variable
   GPUEIG_WORKER overrides.  NULL or "": there is none.  */
gpueig_status gpueig_set_worker (gpueig_context *ctx, const char *file);

/* Text on the last failure, without the name of the function.  */
const char *gpueig_message (const gpueig_context *ctx);
/* Record a message and return STATUS: for solvers and gateways.  */
gpueig_status gpueig_fail (gpueig_context *ctx, gpueig_status status,
                           const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 3, 4)))
#endif
    ;

const char *gpueig_status_id (gpueig_status status);
const char *gpueig_status_text (gpueig_status status);

/* Give cached scratch memory back to the system.  */
void gpueig_trim (gpueig_context *ctx);

/* Bytes of scratch memory held by CTX: in use and cached.  */
int64_t gpueig_memory (const gpueig_context *ctx);

gpueig_options gpueig_default_options (void);

/* Set the devices of OPTIONS by TEXT: "all", or numbers with commas between
   them, as in the environment variable GPUEIG_DEVICE.  */
gpueig_status gpueig_set_devices (gpueig_context *ctx, const char *text,
                                  gpueig_options *options);

/* --- what there is --- */
typedef struct
{
  char name[128];
  int compute_capability[2];
  int multiprocessors;
  int64_t memory;      /* bytes */
  int64_t memory_free; /* bytes, 0: unknown */
} gpueig_device;

typedef struct
{
  int cuda;            /* 1 if the CUDA backend can be used */
  char reason[256];    /* why not, if it cannot */
  int runtime_version; /* of CUDA: 13000 is 13.0; 0 without CUDA */
  int driver_version;
  char engines[64]; /* libraries for one matrix on several GPUs that were found,
                       "" if none */
  int n_devices;
  gpueig_device device[GPUEIG_MAX_DEVICES];
  int threads;           /* of the CPU backend, as OMP_NUM_THREADS says */
  char blas[128];        /* the BLAS library's own description, if it has one */
  int blas_threads;      /* of the BLAS library, 0 if it does not say */
  int mpi;               /* 1 if the MPI backend can be used */
  char mpi_engines[128]; /* what it solves with */
  char mpi_reason[256];  /* why not, if it cannot */
} gpueig_machine;

/* Loads the plugin and asks the driver.  Never fails: says what it found.  */
void gpueig_query (gpueig_context *ctx, gpueig_machine *machine);

/* The fault that made the GPU unusable, e.g. "cudaErrorIllegalAddress in
   pack_kernel", or "".  CUDA has no way back within a process: the call that
   met the fault ends with GPUEIG_DEVICE_ERROR or, with GPUEIG_AUTO, goes on
   with the CPU; later ones with GPUEIG_AUTO take the CPU, with GPUEIG_CUDA they
   end with GPUEIG_NO_DEVICE.  Nothing of the lost GPU is freed.  */
const char *gpueig_device_fault (const gpueig_context *ctx);

/* --- symmetric and Hermitian eigenproblems --- */
/* A V = V diag (lambda), lambda ascending, V' V = I.
     a        n-by-n-by-pages, type TYPE, equal to its conjugate transpose to
              the last bit
     b        NULL, or n-by-n-by-pages symmetric or Hermitian positive definite:
              A V = B V diag (lambda), V' B V = I (gpueig_eig_symmetric only)
     guess    NULL, or n-by-n-by-pages approximate eigenvectors
              (gpueig_jacobi_eig only)
     symmetric  nonzero: gpueig_is_symmetric has said so of A, and of B if it is
              there, which is not checked again
     lambda   n-by-pages, real
     v        NULL, or n-by-n-by-pages  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  const void *b;
  const void *guess;
  int symmetric;
  void *lambda;
  void *v;
} gpueig_symmetric;

/* Is every page of A equal to its conjugate transpose, to the bit?  */
int gpueig_is_symmetric (gpueig_type type, const void *a, int64_t n,
                         int64_t pages);

/* GPUEIG_NONFINITE with the first element of A that is NaN or Inf, if there is
   one; WHAT names A in the message.  */
gpueig_status gpueig_check_finite (gpueig_context *ctx, gpueig_type type,
                                   const void *a, int64_t n, int64_t pages,
                                   const char *what);

/* Two-sided Jacobi.  Methods:
     "classical"       largest off-diagonal element as pivot, T. Wang et al.,
                       2012
     "block"           blocked cyclic Jacobi, tournament ordering
     "preconditioned"  approximate eigenvectors first, then block Jacobi
     "auto"            the fastest of these for the size and the backend
   Reads tol, max_sweeps, max_rotations (classical), high_accuracy.
   O(n^3) per sweep, O(n^2) memory per page.  */
gpueig_status gpueig_jacobi_eig (gpueig_context *ctx,
                                 const gpueig_symmetric *problem,
                                 const gpueig_options *options,
                                 gpueig_info *info);

/* The front door for symmetric and Hermitian problems: the fastest trustworthy
   solver for the size and the machine.  Methods: "auto"; "mrrr", reduction to
   tridiagonal form and MRRR (with B on a GPU only); "syevd", divide and conquer of
   LAPACK or cuSOLVER; on a GPU cuSOLVER's "syevj", "syevj-batched" and
   "syev-batched", and "ql": tridiagonal form and implicit QL, for all pages of
   order up to 256 at once ("auto" takes it where it is the fastest).  "ql" reads
   max_sweeps, of QL for an eigenvalue (default 30); pages that need more are
   finished by one-sided Jacobi.  O(n^3) per page.  */
gpueig_status gpueig_eig_symmetric (gpueig_context *ctx,
                                    const gpueig_symmetric *problem,
                                    const gpueig_options *options,
                                    gpueig_info *info);

/* --- symmetric and Hermitian problems in other processes ---
   With the backend GPUEIG_MPI gpueig_eig_symmetric and gpueig_mrrr (matrices A,
   all eigenvalues or some by number) start processes of gpueig-worker through
   an MPI launcher, which solve the problem by ELPA or ScaLAPACK; pages one by
   one.  Methods: "elpa1" and "elpa2", ELPA with reduction to tridiagonal form in
   one stage and in two, "syevd", ScaLAPACK's p?syevd and p?heevd, and "auto".
   Reads workers.  Environment: GPUEIG_LAUNCH, the launcher with %d for the number of
   processes ("mpirun -n %d"); GPUEIG_WORKER; GPUEIG_SCRATCH, a folder that all hosts
   of the processes see, where matrices are handed over instead of in shared
   memory of this host.  info->extra: workers, residual, orthogonality (in the
   units of the tests, of a sample of the vectors), and seconds.

   The same for matrices in files, column-major without a header:
     a_file   n-by-n, read only; it must be equal to its conjugate transpose
     v_file   NULL, "", or where the eigenvectors first .. last go, n-by-(last -
              first + 1); written beside its name and renamed when complete
     first, last  which eigenpairs, from 1, ascending
     lambda   last - first + 1, real  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  const char *a_file, *v_file;
  int64_t first, last;
  void *lambda;
} gpueig_file_problem;

gpueig_status gpueig_eig_file (gpueig_context *ctx,
                               const gpueig_file_problem *problem,
                               const gpueig_options *options,
                               gpueig_info *info);

/* --- one-sided Jacobi --- */

/* One-sided Jacobi for real symmetric and Hermitian matrices, one or a stack
   of pages.  Methods:
     "hestenes"   rotates the columns of A itself and accumulates V, largest
                  column first (C.-C. Sun, Y.-S. Hu, 2016), then separates
                  +lambda from -lambda on the columns of A V + shift V
     "cholesky"   rotates the columns of the Cholesky factor of A + shift
     "shifted"    rotates the columns of A + shift: no factorisation
     "auto"       the fastest of these for the size and the backend
   The shift makes the matrix definite, so the normalised columns are the
   eigenvectors and nothing is accumulated.  high_accuracy: "cholesky" with a
   pivoted factor, without shift and element by element: every eigenvalue of a
   positive definite A = D B D to a relative error of about n eps cond (B); a
   page that is not positive definite is solved with normal accuracy, and
   info->fallback then is "shifted".
   Reads tol (columns x, y count as orthogonal when |x'y| <= tol |x| |y|;
   default sqrt (n) eps), max_sweeps (default 40), high_accuracy.
   O(n^3) per sweep, O(n^2) memory per page.  */
gpueig_status gpueig_onesided_eig (gpueig_context *ctx,
                                   const gpueig_symmetric *problem,
                                   const gpueig_options *options,
                                   gpueig_info *info);

/* --- general eigenproblems --- */

/* A V = V diag (lambda), W' A = diag (lambda) W'; columns of V and W of 2-norm 1.
     a       n-by-n-by-pages, type TYPE, real or complex
     lambda  n-by-pages, complex of the same precision
     v, w    NULL, or n-by-n-by-pages, complex of the same precision  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  int balance; /* nonzero: permute and scale first, as LAPACK's xGEEVX */
  void *lambda;
  void *v;
  void *w;
} gpueig_general;

/* The front door for general problems.  Methods:
     "geev"  LAPACK's xGEEVX, cuSOLVER's Xgeev: eigenvalues in LAPACK's order
     "qr"    on a GPU the QR algorithm of this library, which stays there but
             for small windows, with left vectors too; eigenvalues in the order
             of the Schur form; pages that it cannot serve are finished by LAPACK, info->fallback
             then is "geevx".  Reads max_sweeps: deflation windows, at most
     "auto"  the one that was measured to be faster
   Vectors scaled as LAPACK scales them.  O(n^3) per page.  */
gpueig_status gpueig_eig_general (gpueig_context *ctx,
                                  const gpueig_general *problem,
                                  const gpueig_options *options,
                                  gpueig_info *info);

/* The Jacobi-like method of Eberlein and Shroff: norm-reducing shears, unitary
   transformations and diagonal scaling, then Newton refinement with the original
   matrix.  Pages run side by side.  Methods:
     "shroff"  that; pages for which it stalls (defective or nearly so) are
               finished by LAPACK, info->fallback then is "geev"
     "geev"    Hessenberg QR, LAPACK's or cuSOLVER's
     "qr"      that of gpueig_eig_general
     "auto"    the fastest for the size and the backend
   Order: real part ascending, then |imaginary part|, then the positive one
   first.  Hermitian pages have real LAMBDA and orthonormal V.
   Reads tol (stop at |off (A)|_F <= tol |A|_F; refinement follows), max_sweeps
   (reached: GPUEIG_NO_CONVERGENCE and the best so far).
   O(n^3) per sweep, 10 to 20 sweeps, O(n^2) memory per page in flight.  */
gpueig_status gpueig_complex_eig (gpueig_context *ctx,
                                  const gpueig_general *problem,
                                  const gpueig_options *options,
                                  gpueig_info *info);

/* --- MRRR --- */

/* Eigenpairs FIRST .. LAST (from 1, ascending) of a symmetric tridiagonal matrix,
   or of a dense symmetric or Hermitian one, which is reduced to tridiagonal form
   first.
     type     of a and v; for a tridiagonal matrix GPUEIG_FLOAT or GPUEIG_DOUBLE
     a        NULL, or n-by-n-by-pages, equal to its conjugate transpose
     d, e     diagonal, n-by-pages, and off-diagonal, (n - 1)-by-pages, real;
              not read when a is there
     select   which eigenvalues: all, numbers first .. last, or those in the
              interval (vl, vu], of one page
     found    NULL, or where the number of columns is left
     lambda   columns-by-pages, real; columns is n, last - first + 1, or n as
              room for what is in the interval
     v        NULL, or n-by-columns-by-pages  */
typedef enum
{
  GPUEIG_SELECT_ALL,
  GPUEIG_SELECT_INDEX,
  GPUEIG_SELECT_INTERVAL
} gpueig_select;

typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  const void *d, *e;
  gpueig_select select;
  int64_t first, last;
  double vl, vu;
  int64_t *found;
  void *lambda;
  void *v;
} gpueig_mrrr_problem;

/* Methods:
     "mrrr"      ("auto", but for stacks of order up to 256 on a GPU, which go
                 through implicit QL: info.method "ql") representation tree in
                 twice the working precision
     "inverse"   brackets as MRRR, all vectors by inverse iteration with
                 reorthogonalisation: O(n^3), what single clusters fall back to
     "stemr", "stevd"  LAPACK's MRRR and divide and conquer, CPU backend only;
                 where stemr fails or is wrong, stevd finishes (fallback)
   O(n k) work for k eigenpairs of a tridiagonal matrix, O(n) memory besides the
   result and (CUDA, clusters) one workspace of its size at most.  Results do not
   depend on the number of threads, and scaling the matrix by a power of two
   changes nothing but the scale.  info: extra figures "clusters", "depth" of the
   representation tree, "fallbacks" (vectors that inverse iteration made).  */
gpueig_status gpueig_mrrr (gpueig_context *ctx,
                           const gpueig_mrrr_problem *problem,
                           const gpueig_options *options, gpueig_info *info);

/* --- inverse of a tridiagonal matrix --- */

/* X = inv (T), T of order n with subdiagonal C (n-1 numbers), diagonal A (n) and
   superdiagonal B (n-1), all of type TYPE.
     columns    NULL for all of X, or n_columns indices from 0 in any order
     band       < 0, or k: only the entries |i - j| <= k; not with columns
     x          n-by-n or n-by-n_columns; with a band (2k+1)-by-n, entry (i, j)
                at row k + i - j of column j, what lies outside T is zero
     x_im       NULL: complex numbers are interleaved in x; else x gets the real
                and x_im the imaginary parts
     rcond      NULL, or the reciprocal condition number in the 1-norm, from
                the norms of T and of the whole of X (O(n) work)
   A singular T gives success, rcond 0 and an X of Inf.  */
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
} gpueig_tdinv_problem;

/* Methods:
     "generators"        O(n) double-double recurrences, then every entry written
                         once, to about two units in the last place, for any
                         nonsingular T
     "sherman-morrison"  the recursive Sherman-Morrison formula, for diagonally
                         dominant T; others are handed to "generators" (fallback)
     "pivoted"           solution with the identity, partial pivoting: xGTTRF and
                         xGTTRS, cuSPARSE's gtsv2; for comparison
     "auto"              "generators"
   O(n) memory beside X ("sherman-morrison" O(n log n)).  */
gpueig_status gpueig_tdinv (gpueig_context *ctx,
                            const gpueig_tdinv_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

/* The first element (column-major, from 0) outside the three diagonals of the
   n-by-n matrix X of TYPE that is not zero, or -1.  As fast as reading X.  */
int64_t gpueig_outside_tridiagonal (gpueig_context *ctx, gpueig_type type,
                                    int64_t n, const void *x);

/* RE and, unless it is NULL, IM get the real and imaginary parts of COUNT complex
   numbers of TYPE.  */
void gpueig_split (gpueig_context *ctx, gpueig_type type, int64_t count,
                   const void *from, void *re, void *im);

/* GPUEIG_OUT_OF_MEMORY with both numbers when BYTES of host memory for WHAT are
   more than there is now with swap, of the machine or of the process's control
   group; up to 16 mebibytes count as there.  Allocates nothing, so what was
   allocated and not written yet is not seen: ask for results together.  */
gpueig_status gpueig_need_memory (gpueig_context *ctx, double bytes,
                                  const char *what);

GPUEIG_END_C

#include "gpueig_schur.h"
#ifdef __GNUC__
#  pragma GCC visibility pop
#endif

#endif
