/* Singular values: gpu_svd compared with cuSOLVER's drivers, on data in the GPU's memory.
     device_svd [-v] [-c DIGITS] MxNxPAGES ...
   -v: singular values alone; -c: the condition is 10^DIGITS, with singular values in geometric
   progression, instead of normally distributed elements.  Errors are the largest of those of
   measure_singular and measure_orthogonality (tests/base/check.h) of the first and the last
   page; peers whose error is above 10 have no time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

#include <complex>

typedef std::complex<double> number;

/* Of tests/base/measure.c, whose header is in C.  */
extern "C" double measure_singular (gpueig_type type, int64_t m, int64_t n,
                                    const void *a, const void *s, const void *u,
                                    const void *v);
extern "C" double measure_orthogonality (gpueig_type type, int64_t n,
                                         int64_t columns, const void *v);

enum
{
  CHECKED = 512,    /* largest order of errors */
  SLOW = 500000000, /* m n min (m, n): run once */
  BATCHED_J = 32,   /* largest order of gesvdjBatched */
  LARGEST_J = 4096  /* and of gesvdj, which takes longest */
};

typedef struct
{
  gpueig_type type;
  int m, n, k; /* K: the smaller one */
  int64_t pages;
  int vectors;
  void *given, *a, *s, *u, *v; /* on the device; u m-by-m at most, v n-by-n */
  size_t bytes_a;
} problem;

/* --- matrices --- */

/* COUNT vectors of LENGTH numbers, OTHER from one to the next, STEP within, become H x with
   a random reflector H.  */
static void
reflect (int length, int count, int64_t step, int64_t other, uint64_t seed,
         int is_complex, number *x)
{
  std::vector<number> reflector ((size_t) length);
  number *const h = reflector.data ();
  double sum = 0;
  for (int i = 0; i < length; i++)
    {
      h[i] = number (uniform (seed + 2 * (uint64_t) i),
                     is_complex ? uniform (seed + 2 * (uint64_t) i + 1) : 0);
      sum += std::norm (h[i]);
    }
#pragma omp parallel for if (count > 500)
  for (int j = 0; j < count; j++)
    {
      number *y = x + j * other, d = 0;
      for (int i = 0; i < length; i++)
        d += std::conj (h[i]) * y[i * step];
      d *= 2 / sum;
      for (int i = 0; i < length; i++)
        y[i * step] -= d * h[i];
    }
}

/* A page with singular values from 1 to 10^-DIGITS.  */
static void
fill_graded (const problem *p, double digits, uint64_t seed, void *a)
{
  const int m = p->m, n = p->n, parts = 1 + gpueig_is_complex (p->type);
  std::vector<number> page ((size_t) m * (size_t) n);
  number *const x = page.data ();
  for (int64_t i = 0; i < (int64_t) m * n; i++)
    x[i] = i % m == i / m
               ? pow (10, -digits * (double) (i / m) / fmax (1, p->k - 1))
               : 0;
  for (uint64_t i = 0; i < 3; i++)
    {
      reflect (m, n, 1, m, seed + (i << 40), parts == 2, x);
      reflect (n, m, m, 1, seed + ((i + 4) << 40), parts == 2, x);
    }
  for (int64_t i = 0; i < (int64_t) m * n; i++)
    {
      set_real (p->type, a, parts * i, x[i].real ());
      if (parts == 2)
        set_real (p->type, a, parts * i + 1, x[i].imag ());
    }
}

/* --- errors --- */

/* COUNT numbers of TYPE from number AT of DEVICE on.  */
static std::vector<char>
download (gpueig_type type, const void *device, int64_t at, int64_t count)
{
  std::vector<char> x (bytes_of (type, count));
  copy_bytes (x.data (), (const char *) device + bytes_of (type, at),
              x.size ());
  return x;
}

/* N-by-K V of its conjugate transpose.  */
static std::vector<char>
adjoint_of (gpueig_type type, int n, int k, const std::vector<char> &x)
{
  const int parts = 1 + gpueig_is_complex (type);
  std::vector<char> v (x.size ());
  for (int64_t i = 0; i < (int64_t) n * k * parts; i++)
    {
      const int64_t part = i % parts, row = i / parts % n, c = i / parts / n;
      const double y = get_real (type, x.data (), parts * (c + k * row) + part);
      set_real (type, v.data (), i, part ? -y : y);
    }
  return v;
}

/* The errors of one page.  STEP_U and STEP_V: from one to the next.  ADJOINT: V' is there.  */
static double
page_error (const problem *p, int64_t page, int64_t step_u, int64_t step_v,
            int adjoint)
{
  const int m = p->m, n = p->n, k = p->k;
  const gpueig_type real
      = gpueig_is_double (p->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const auto a = download (p->type, p->given, page * m * n, (int64_t) m * n);
  const auto s = download (real, p->s, page * k, k);
  const auto u = download (p->type, p->u, page * step_u, (int64_t) m * k);
  auto v = download (p->type, p->v, page * step_v, (int64_t) n * k);
  if (adjoint)
    v = adjoint_of (p->type, n, k, v);
  return fmax (measure_singular (p->type, m, n, a.data (), s.data (), u.data (),
                                 v.data ()),
               fmax (measure_orthogonality (p->type, m, k, u.data ()),
                     measure_orthogonality (p->type, n, k, v.data ())));
}

static double
error_of (const problem *p, int64_t pages, int64_t step_u, int64_t step_v,
          int adjoint)
{
  if (! p->vectors || p->m > 2 * CHECKED || p->n > CHECKED)
    return NAN;
  return fmax (page_error (p, 0, step_u, step_v, adjoint),
               page_error (p, pages - 1, step_u, step_v, adjoint));
}

/* --- solvers --- */

enum
{
  GESVD,
  GESVDP,
  GESVDR,
  GESVDJ,
  BATCHED,
  GESVDA,
  PEERS
};

static gesvdjInfo_t params;
static cusolverDnParams_t general_params;

/* Single pages by the routines for all types.  */
static cusolverStatus_t
general (const problem *p, int routine, int only_size, library *l)
{
  const cudaDataType t = data_type[p->type], r = real_data_type (p->type);
  const int64_t m = p->m, n = p->n;
  const signed char job = p->vectors ? 'S' : 'N';
  double sigma;
  if (routine == GESVD)
    return GENERIC_CALL (Xgesvd, (), (), general_params, job, job, m, n, t,
                         p->a, m, r, p->s, t, p->u, m, t, p->v, n, t);
  if (routine == GESVDR)
    return GENERIC_CALL (Xgesvdr, (), (), general_params, job, job, m, n, n, 0,
                         1, t, p->a, m, r, p->s, t, p->u, m, t, p->v, n, t);
  return GENERIC_CALL (Xgesvdp, (), (, &sigma), general_params,
                       vector_mode (p->vectors), 1, m, n, t, p->a, m, r, p->s,
                       t, p->u, m, t, p->v, n, t);
}

/* Those with a function for each type.  */
#define JACOBI(TYPE, T, R, L, HE)                                              \
  case TYPE:                                                                   \
    {                                                                          \
      T *const a = (T *) p->a, *const u = (T *) p->u, *const v = (T *) p->v;   \
      R *const s = (R *) p->s;                                                 \
      return routine == GESVDJ                                                 \
                 ? TYPED_CALL (T, L##gesvdj, (, params), (, params), mode, 1,  \
                               m, n, a, m, s, u, m, v, n)                      \
             : routine == BATCHED                                              \
                 ? TYPED_CALL (T, L##gesvdjBatched, (, params, pages),         \
                               (, params, pages), mode, m, n, a, m, s, u, m,   \
                               v, n)                                           \
                 : TYPED_CALL (T, L##gesvdaStridedBatched, (, pages),          \
                               (, NULL, pages), mode, k, m, n, a, m, in_a, s,  \
                               k, u, m, in_u, v, n, in_v);                     \
    }

static cusolverStatus_t
jacobi (const problem *p, int routine, int only_size, library *l)
{
  const cusolverEigMode_t mode = vector_mode (p->vectors);
  const int m = p->m, n = p->n, k = p->k, pages = (int) p->pages;
  const long long in_a = (long long) m * n, in_u = (long long) m * k,
                  in_v = (long long) n * k;
  switch (p->type)
    {
      EACH_TYPE (JACOBI)
    }
  return CUSOLVER_STATUS_INVALID_VALUE;
}

/* Seconds for all pages by a ROUTINE of cuSOLVER, NaN if it does not serve them; *ERROR of
   its results.  */
static double
peer_time (const problem *p, int routine, double *error)
{
  const int m = p->m, n = p->n, k = p->k, largest = m > n ? m : n;
  const int batched = routine >= BATCHED, square = routine == BATCHED;
  *error = NAN;
  if ((! batched && m < n && routine != GESVDJ) || (batched && p->pages == 1)
      || (routine == BATCHED && largest > BATCHED_J)
      || (routine == GESVDJ && m > LARGEST_J && n > LARGEST_J)
      || (routine == GESVDR && m != n) || (routine == GESVDA && m < n))
    return NAN;
  must (params
            || (cusolverDnCreateGesvdjInfo (&params) == 0
                && cusolverDnCreateParams (&general_params) == 0),
        "cusolverDnCreateParams");
  const int slow = (double) m * n * k > SLOW;
  const double seconds = library_time (
      ! slow, slow ? 1 : RUNS, p->pages,
      [&] { copy_bytes (p->a, p->given, p->bytes_a); },
      [&] (library *l, int only_size) {
        return (routine < GESVDJ ? general : jacobi) (p, routine, only_size, l);
      });
  if (! isnan (seconds))
    *error = error_of (p, batched ? p->pages : 1, square ? m * m : m * k,
                       square ? n * n : n * k, routine == GESVD);
  return batched ? seconds : seconds * (double) p->pages;
}

/* In host memory; of pages with singular values in progression 50 are different.  */
static const void *
make_pages (const problem *p, int digits)
{
  const int64_t in_a = (int64_t) p->m * p->n;
  const int64_t different = digits > 0 ? 50 : p->pages;
  const size_t bytes = bytes_of (p->type, in_a);
  char *const a = (char *) host_memory (p->bytes_a);
  if (digits <= 0)
    fill_normal (p->type, in_a * p->pages, a);
  for (int64_t i = 0; digits > 0 && i < p->pages; i++)
    if (i < different)
      fill_graded (p, digits, 977 * (uint64_t) i, a + (size_t) i * bytes);
    else
      memcpy (a + (size_t) i * bytes, a + (size_t) (i % different) * bytes,
              bytes);
  return a;
}

static void
measure (const bench *b, const char *size)
{
  problem p = {};
  const int digits = b->option['c'];
  long long pages = 1;
  gpueig_info info;
  p.type = b->type;
  p.vectors = ! b->option['v'];
  must (sscanf (size, "%dx%dx%lld", &p.m, &p.n, &pages) >= 2, size);
  p.pages = pages;
  p.k = p.m < p.n ? p.m : p.n;
  p.bytes_a = bytes_of (p.type, (int64_t) p.m * p.n * pages);
  p.given = on_device (make_pages (&p, digits), p.bytes_a);
  p.a = device_memory (p.bytes_a);
  /* gesvdjBatched has square U and V.  */
  const int square = pages > 1 && p.m <= BATCHED_J && p.n <= BATCHED_J;
  p.s = device_memory (sizeof (double) * (size_t) (p.k * pages));
  p.u = device_memory (
      bytes_of (p.type, (int64_t) p.m * (square ? p.m : p.k) * pages));
  p.v = device_memory (bytes_of (p.type, (int64_t) p.n * p.n * pages));
  gpueig_svd_problem g = {};
  g.type = p.type;
  g.m = p.m;
  g.n = p.n;
  g.pages = p.pages;
  g.a = p.given;
  g.s = p.s;
  g.u = p.vectors ? p.u : NULL;
  g.v = p.vectors ? p.v : NULL;
  g.place = GPUEIG_DEVICE;
  const double own = solve_time (b, gpueig_svd, &g, "auto", RUNS, &info);
  const double error
      = error_of (&p, pages, (int64_t) p.m * p.k, (int64_t) p.n * p.k, 0);
  double best = INFINITY, error_of_gesvda = NAN;
  printf ("%d,%d,%lld,%d,%s%s", p.m, p.n, pages, digits, info.method,
          info.fallback[0] ? "+" : "");
  print_numbers ({ own, error });
  for (int i = 0; i < PEERS; i++)
    {
      double bad = NAN;
      double time = b->option['N'] ? NAN : peer_time (&p, i, &bad);
      if (bad > 10)
        time = NAN;
      print_numbers ({ time });
      best = fmin (best, time);
      if (i == GESVDA)
        error_of_gesvda = bad;
    }
  print_numbers ({ error_of_gesvda, best / own });
}

int
main (int argc, char **argv)
{
  return run_bench (
      argc, argv,
      "m,n,pages,digits,method,gpu_svd [s],error,gesvd [s],gesvdp [s],gesvdr "
      "[s],gesvdj [s],gesvdjBatched [s],gesvda [s],error of gesvda,best "
      "peer/gpu_svd",
      "c", 1, [] (const char *) { return 1.0; }, measure);
}
