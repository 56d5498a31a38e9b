/* Checks for the C tests: each says its claim, prints its ratio and counts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   int main (void)
   {
     check_begin ("jacobi_eig");
     CHECK (condition, "claim %d", n);
     CHECK_RATIO (ratio, LIMIT_RESIDUAL, "residual of %s", name);
     return check_end ();
   }  */

#ifndef CHECK_H
#define CHECK_H 1

#include "gpueig_testing.h"

#include <math.h>
#include <string.h>

/* Counts and prints a line, for a passed check only when the environment
   variable GPUEIG_TEST_VERBOSE is set.  */
void check_begin (const char *name);
void check_result (int passed, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
void check_ratio (double ratio, double limit, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));
/* Checks that RATIO, an error in units of n eps, is also below USUAL sqrt (n) eps.  The
   error closest to its limit is printed at the end.  */
void check_usual (double ratio, int64_t n, double usual, const char *format,
                  ...) __attribute__ ((format (printf, 4, 5)));
void check_skip (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));

/* Prints "name: N passed, N failed, N skipped"; the exit status.  */
int check_end (void);

#define CHECK(condition, ...) check_result ((condition) != 0, __VA_ARGS__)
#define CHECK_RATIO(ratio, limit, ...) check_ratio (ratio, limit, __VA_ARGS__)

/* Both limits of limits.h for a RATIO in units of n eps.  */
#define CHECK_BOTH(ratio, limit, n, usual, ...)                                \
  do                                                                           \
    {                                                                          \
      const double check_both_ = (ratio);                                      \
      check_ratio (check_both_, limit, __VA_ARGS__);                           \
      check_usual (check_both_, n, usual, __VA_ARGS__);                        \
    }                                                                          \
  while (0)

/* Of CALL, a status, each allocation in the context ctx fails once and is reported, or
   survived: a chunk of a stack on a GPU is solved again in smaller ones; the next call
   succeeds.  */
#define CHECK_FAILING_ALLOCATIONS(call, ...)                                   \
  do                                                                           \
    {                                                                          \
      int64_t reported_ = 0, survived_ = 0, total_ = 0;                        \
      gpueig_fail_allocation (ctx, 0);                                         \
      CHECK ((call) == GPUEIG_OK, __VA_ARGS__);                                \
      total_ = gpueig_fail_allocation (ctx, 0);                                \
      for (int64_t k_ = 1; k_ <= total_; k_++)                                 \
        {                                                                      \
          gpueig_fail_allocation (ctx, k_);                                    \
          const gpueig_status status_ = (call);                                \
          reported_ += status_ == GPUEIG_OUT_OF_MEMORY;                        \
          survived_ += status_ == GPUEIG_OK;                                   \
          gpueig_fail_allocation (ctx, 0);                                     \
        }                                                                      \
      check_result (reported_ > 0 && reported_ + survived_ == total_,          \
                    __VA_ARGS__);                                              \
      check_result ((call) == GPUEIG_OK, __VA_ARGS__);                         \
    }                                                                          \
  while (0)

/* A context and options for the backend that the environment variable
   GPUEIG_TEST_BACKEND names ("cpu" by default); GPUEIG_TEST_PLUGIN is the file of the
   plugin.  Exits if the backend is not available.
   GPUEIG_DEVICE: the devices, see gpueig_set_devices.
   GPUEIG_TEST_LIMITS="14,101376,1": as on a GPU of 14 multiprocessors with 99 KB
   of shared memory a block and without clusters, see gpueig_limit_device.  */
gpueig_context *check_context (gpueig_options *options);

/* Unless GPUEIG_TEST_BACKEND is "cuda": let it be that, with the simulated GPU of place_plugin,
   which is in the folder of the program with the file name PROGRAM.  Nonzero if so; never but
   on Linux.  */
int check_simulate_gpu (const char *program);

/* Calls are interrupted when they poll for the AT-th time from now on; 0: they do not poll.
   Returns how often they polled since the last time.  */
int64_t check_interrupt_at (gpueig_context *ctx, int64_t at);

/* Nonzero for one of PARTS cases, chosen at random, on a GPU, whose launches take turns with
   those of other tests; always on the CPU and with GPUEIG_TEST_LONG.  */
int check_turn (int parts);

/* For tests of several GPUs: a context, the options of ONE device and of ALL.  A single
   GPU counts as two.  NULL, and a skip, without a GPU.  */
gpueig_context *check_gpus (gpueig_options *one, gpueig_options *all,
                            gpueig_machine *machine);

#define COUNT(array) (sizeof (array) / sizeof *(array))

/* Zeros from the heap: COUNT elements of SIZE bytes, or of a type; exits if there is no
   memory.  */
void *check_memory (int64_t count, size_t size);
void *check_array (gpueig_type type, int64_t count);

/* A variable is freed where its block ends: a pointer, or a struct by FUNCTION, which
   takes its address.  */
#define FREED CLEANUP (check_free)
#define CLEANUP(function) __attribute__ ((cleanup (function)))
void check_free (void *pointer);

/* Names of the types.  */
extern const char *const check_type_name[4];

/* The type of eigenvalues of symmetric and of general matrices of TYPE.  */
static inline gpueig_type
real_type (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
}

static inline gpueig_type
complex_type (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
}

/* Page PAGE of X, which has COUNT elements of TYPE a page.  */
static inline char *
page_of (gpueig_type type, char *x, int64_t count, int64_t page)
{
  return x ? x + (size_t) (count * page) * gpueig_scalar_size (type) : NULL;
}

/* Nonzero if COUNT numbers of X from number I and of Y from number J are the same bits; there
   may be none.  */
static inline int
same_bits (gpueig_type type, const void *x, int64_t i, const void *y, int64_t j,
           int64_t count)
{
  const size_t size = gpueig_scalar_size (type);
  return ! x
         || memcmp ((const char *) x + (size_t) i * size,
                    (const char *) y + (size_t) j * size, (size_t) count * size)
                == 0;
}

/* A problem of PAGES pages of order N; V may be NULL.  */
static inline gpueig_symmetric
symmetric_problem (gpueig_type type, int64_t n, int64_t pages, const void *a,
                   void *lambda, void *v)
{
  return (gpueig_symmetric){
    .type = type, .n = n, .pages = pages, .a = a, .lambda = lambda, .v = v
  };
}

/* --- measures, in double precision --- */

/* The larger of two errors, Inf if one is NaN: fmax would drop it.  */
static inline double
worst_of (double x, double y)
{
  return x != x || y != y ? INFINITY : x > y ? x : y;
}

/* Element I of an array of TYPE.  */
double _Complex measure_get (gpueig_type type, const void *x, int64_t i);
void measure_set (gpueig_type type, void *x, int64_t i, double _Complex value);
double measure_eps (gpueig_type type);

/* Multiply COUNT elements of X by FACTOR.  */
void measure_scale (gpueig_type type, int64_t count, void *x, double factor);

/* 1-norm of an m-by-n matrix.  */
double measure_norm (gpueig_type type, int64_t m, int64_t n, const void *a);

/* |A V - V diag (lambda)| / (|A| n eps), LAMBDA real; 0 for A = 0 and exact.  */
double measure_residual (gpueig_type type, int64_t n, int64_t columns,
                         const void *a, const void *v, const void *lambda);

/* |A B - C| / (|A| |B| n eps), n-by-n, with the eps of TYPE.  */
double measure_product (gpueig_type type, int64_t n, const double _Complex *a,
                        const double _Complex *b, const double _Complex *c);

/* |A U - U S| / (|A| n eps) of a Schur form, U and S of type FORM; all n-by-n.  */
double measure_form (gpueig_type type, gpueig_type form, int64_t n,
                     const void *a, const void *s, const void *u);

/* |A V - U diag (s)| / (|A| m eps) of m-by-n A, U and V with as many columns as there are
   singular values; where m < n that of A'.  */
double measure_singular (gpueig_type type, int64_t m, int64_t n, const void *a,
                         const void *s, const void *u, const void *v);

/* |V' V - I| / (n eps) of n-by-COLUMNS V.  */
double measure_orthogonality (gpueig_type type, int64_t n, int64_t columns,
                              const void *v);

/* |V' B V - I| / (n eps) of n-by-COLUMNS V, for a B that is well conditioned.  */
double measure_b_orthogonality (gpueig_type type, int64_t n, int64_t columns,
                                const void *b, const void *v);

/* The largest |v' B w - (v == w)| / (|v| |B| |w| n eps) of columns v and w of n-by-n V.  */
double measure_pair_products (gpueig_type type, int64_t n, const void *b,
                              const void *v);

/* The largest |A v - lambda B v| / ((|A| + |lambda| |B|) |v| n eps) of a column of n-by-COLUMNS
   V, 1-norms, in long double.  */
double measure_pair (gpueig_type type, int64_t n, int64_t columns,
                     const void *a, const void *b, const void *v,
                     const void *lambda);

/* Errors of eigenvectors of a general matrix; LAMBDA, V and W (may be NULL) are complex
   of the precision of TYPE.
     right   |A V - V diag (lambda)| / (|A| |V| n eps)
     left    |A' W - W diag (lambda)'| / (|A'| |W| n eps), 0 without W
     length  max | |v_j| - 1 | / (n eps), of V and W  */
typedef struct
{
  double right, left, length;
} measure_pairs;

measure_pairs measure_general (gpueig_type type, int64_t n, const void *a,
                               const void *v, const void *w,
                               const void *lambda);

/* The largest deviation, in units of n eps |A|_1, of X from the eigenvalues of a matrix
   near A, of TYPE; X and Y complex of the same precision.  Each A - x I must be nearly
   singular, which holds if x is close to one of Y (eigenvalues whose vectors met the
   limits), and the sums of X and of X^2 must be the traces of A and of A^2.  */
double mixed_spectrum (gpueig_type type, int64_t n, const void *a,
                       const void *x, const void *y);

/* max |x - y| / (scale n eps) of two real arrays.  */
double measure_eigenvalues (gpueig_type type, int64_t n, const void *x,
                            const void *y, double scale);

/* --- random numbers that are the same on every machine --- */

typedef struct
{
  uint64_t state;
} measure_random;

double measure_uniform (measure_random *r); /* in (-1, 1) */
double measure_chance (measure_random *r);  /* in (0, 1) */
double measure_normal (measure_random *r);
int64_t measure_integer (measure_random *r, int64_t least, int64_t most);

/* TO: the numbers 0 .. N - 1 in random order.  */
void measure_shuffle (measure_random *r, int64_t n, int64_t *to);

/* n-by-n X <- H X H if BOTH, else H X, with a random Householder reflection H.  */
void measure_reflect (measure_random *r, int is_complex, int64_t n,
                      double _Complex *x, int both);

/* A normal number of TYPE.  */
double _Complex measure_number (measure_random *r, gpueig_type type);

/* A random n-by-n symmetric/Hermitian matrix with standard normal entries.  */
void measure_random_symmetric (measure_random *r, gpueig_type type, int64_t n,
                               void *a);

#endif
