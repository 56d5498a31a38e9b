/* cuSolverDx's heev and hegv, which are device functions, in a kernel of one block for one or
   several pages.  They come from libmathdx (PyPI: nvidia-libmathdx-cu13), which is loaded at
   run time if the loader finds it (LD_LIBRARY_PATH), as are NVRTC, which compiles the
   kernel, and nvJitLink, which links both.  Vectors are not verified, eigenvalues are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SOLVER_DX_CUH
#define SOLVER_DX_CUH 1

#include "device_bench.cuh"

#include <dlfcn.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <string>

/* Numbers of libmathdx 0.4's headers.  */
enum
{
  DX_SIZE = 0,
  DX_TYPE = 1,
  DX_PRECISION = 2,
  DX_SM = 3,
  DX_EXECUTION = 4,
  DX_BLOCK_DIM = 5,
  DX_API = 6,
  DX_FUNCTION = 7,
  DX_ARRANGEMENT = 8,
  DX_FILL_MODE = 9,
  DX_BATCHES = 14,
  DX_JOB = 15,
  DX_HEEV = 19,
  DX_HEGV = 24,
  DX_SINGLE = 5,
  DX_DOUBLE = 6,
  DX_BLOCK = 1,
  DX_LOWER = 1,
  DX_OVERWRITE = 3,
  DX_SYMBOL = 2,
  DX_SUGGESTED_BLOCK = 5,
  DX_SUGGESTED_BATCHES = 6,
  DX_WORKSPACE = 12,
  DX_TARGET_SM = 1,
  DX_MOST_SHARED = 227 << 10 /* bytes of a block, on any GPU */
};

#define DX_FUNCTIONS(X)                                                        \
  X (cusolverdxCreateDescriptor, (long long *) )                               \
  X (cusolverdxDestroyDescriptor, (long long) )                                \
  X (cusolverdxSetOperatorInt64, (long long, int, long long) )                 \
  X (cusolverdxSetOperatorInt64s,                                              \
     (long long, int, size_t, const long long *) )                             \
  X (cusolverdxGetTraitInt64, (long long, int, long long *) )                  \
  X (cusolverdxGetTraitInt64s, (long long, int, size_t, long long *) )         \
  X (cusolverdxGetTraitStrSize, (long long, int, size_t *) )                   \
  X (cusolverdxGetTraitStr, (long long, int, size_t, char *) )                 \
  X (cusolverdxGetUniversalFATBINSize, (long long, size_t *) )                 \
  X (cusolverdxGetUniversalFATBIN, (long long, size_t, void *) )               \
  X (cusolverdxFinalizeCode, (long long, long long) )                          \
  X (commondxCreateCode, (long long *) )                                       \
  X (commondxDestroyCode, (long long) )                                        \
  X (commondxSetCodeOptionInt64, (long long, int, long long) )                 \
  X (commondxGetCodeLTOIRSize, (long long, size_t *) )                         \
  X (commondxGetCodeLTOIR, (long long, size_t, void *) )

#define DX_COMPILER(X)                                                         \
  X (nvrtcCreateProgram)                                                       \
  X (nvrtcCompileProgram)                                                      \
  X (nvrtcGetLTOIRSize)                                                        \
  X (nvrtcGetLTOIR)                                                            \
  X (nvrtcDestroyProgram)

#define DX_LINKER(X)                                                           \
  X (nvJitLinkCreate)                                                          \
  X (nvJitLinkAddData)                                                         \
  X (nvJitLinkComplete)                                                        \
  X (nvJitLinkGetLinkedCubinSize)                                              \
  X (nvJitLinkGetLinkedCubin)                                                  \
  X (nvJitLinkDestroy)

typedef struct
{
#define DX_MEMBER(NAME, ARGUMENTS) int (*NAME) ARGUMENTS;
  DX_FUNCTIONS (DX_MEMBER)
#undef DX_MEMBER
#define DX_MEMBER(NAME) decltype (&::NAME) NAME;
  DX_COMPILER (DX_MEMBER)
  DX_LINKER (DX_MEMBER)
#undef DX_MEMBER
} dx_library;

/* The libraries, or NULL where one of them is missing.  */
static inline const dx_library *
dx_load (void)
{
  static dx_library l;
  static int state; /* 1: complete, -1: not */
  if (state)
    return state > 0 ? &l : NULL;
  const auto load = [] (const char *name, int version) {
    return dlopen ((name + std::to_string (version)).c_str (), RTLD_NOW);
  };
  void *const mathdx = load ("libmathdx.so.", 0),
              *const nvrtc = load ("libnvrtc.so.", CUDART_VERSION / 1000),
              *const linker = load ("libnvJitLink.so.", CUDART_VERSION / 1000);
  int missing = ! mathdx || ! nvrtc || ! linker;
#define DX_FIND(LIBRARY, NAME)                                                 \
  if (! missing)                                                               \
    missing |= ! (*(void **) &l.NAME = dlsym (LIBRARY, #NAME));
#define DX_FIND_MATHDX(NAME, ARGUMENTS) DX_FIND (mathdx, NAME)
#define DX_FIND_NVRTC(NAME) DX_FIND (nvrtc, NAME)
#define DX_FIND_LINKER(NAME) DX_FIND (linker, NAME)
  DX_FUNCTIONS (DX_FIND_MATHDX)
  DX_COMPILER (DX_FIND_NVRTC)
  DX_LINKER (DX_FIND_LINKER)
  state = missing ? -1 : 1;
  if (missing)
    printf ("# note: without cuSolverDx, whose libraries were not found\n");
  return missing ? NULL : &l;
}

/* A kernel for pages of a type and an order.  */
typedef struct
{
  cudaLibrary_t code;
  cudaKernel_t kernel;
  int threads, batches; /* of a block; pages */
  size_t shared;
} dx_kernel;

typedef struct
{
  gpueig_type type;
  int n, pair; /* PAIR: hegv */
  int sm;      /* as 900 */
} dx_problem;

/* Its descriptor for blocks of THREADS, 0 for those that the library suggests; -1: the
   library has none.  */
static inline long long
dx_describe (const dx_library *l, const dx_problem *p, int threads, int batches)
{
  const long long block[3] = { threads, 1, 1 }, columns[2] = { 0, 0 };
  const long long size[3] = { p->n, p->n, p->n };
  long long d = 0;
  int bad = l->cusolverdxCreateDescriptor (&d);
  const auto set = [&] (int what, long long value) {
    bad |= l->cusolverdxSetOperatorInt64 (d, what, value);
  };
  bad |= l->cusolverdxSetOperatorInt64s (d, DX_SIZE, 1, size);
  set (DX_TYPE, gpueig_is_complex (p->type));
  set (DX_PRECISION, gpueig_is_double (p->type) ? DX_DOUBLE : DX_SINGLE);
  set (DX_SM, p->sm);
  set (DX_EXECUTION, DX_BLOCK);
  set (DX_API, 0);
  set (DX_FUNCTION, p->pair ? DX_HEGV : DX_HEEV);
  set (DX_FILL_MODE, DX_LOWER);
  set (DX_JOB, DX_OVERWRITE);
  bad |= l->cusolverdxSetOperatorInt64s (d, DX_ARRANGEMENT,
                                         (size_t) (1 + p->pair), columns);
  if (threads > 0)
    bad |= l->cusolverdxSetOperatorInt64s (d, DX_BLOCK_DIM, 3, block);
  if (batches > 0)
    set (DX_BATCHES, batches);
  if (bad)
    l->cusolverdxDestroyDescriptor (d);
  return bad ? -1 : d;
}

/* The kernel's source; SYMBOL: the device function.  */
static inline std::string
dx_source (const dx_problem *p, const dx_kernel *k, const char *symbol,
           long long work)
{
  const std::string real = gpueig_is_double (p->type) ? "double" : "float";
  const auto constant = [] (const char *name, long long value) {
    return std::string ("static const int ") + name + " = "
           + std::to_string (value) + ";\n";
  };
  const std::string b = p->pair ? "T *b, " : "", y = p->pair ? "y, " : "";
  return "typedef " + real + " R;\n"
         + (gpueig_is_complex (p->type)
                ? "struct __align__ (2 * sizeof (R)) T { R x, y; };\n"
                : "typedef R T;\n")
         + constant ("N", p->n) + constant ("THREADS", k->threads)
         + constant ("PAGES", k->batches) + constant ("WORK", work)
         + constant ("PAIR", p->pair) + "extern \"C\" __device__ void " + symbol
         + " (T *a, " + b + "R *lambda, T *work, int *info);\n" + R"(
extern "C" __global__ void __launch_bounds__ (THREADS)
solve_pages (const T *a, const T *b, T *v, R *lambda, int *info, int pages)
{
  extern __shared__ __align__ (16) unsigned char space[];
  T *const x = (T *) space, *const y = x + PAIR * PAGES * N * N,
    *const work = y + PAGES * N * N;
  R *const l = (R *) (work + WORK);
  const int first = blockIdx.x * PAGES;
  const int here = first + PAGES < pages ? PAGES : pages - first;
  for (int i = threadIdx.x; i < PAGES * N * N; i += THREADS)
    {
      const int at = i < here * N * N ? i : i % (N * N);
      x[i] = a[(long long) first * N * N + at];
      if (PAIR)
        y[i] = b[(long long) first * N * N + at];
    }
  __syncthreads ();
  )" + symbol
         + " (x, " + y + R"(l, work, info + first);
  __syncthreads ();
  for (int i = threadIdx.x; i < here * N * N; i += THREADS)
    v[(long long) first * N * N + i] = x[i];
  for (int i = threadIdx.x; i < here * N; i += THREADS)
    lambda[(long long) first * N + i] = l[i];
}
)";
}

static inline std::string
dx_compile (const dx_library *l, const dx_problem *p, const std::string &source)
{
  const std::string target = "-arch=compute_" + std::to_string (p->sm / 10);
  const char *const options[] = { target.c_str (), "-dlto" };
  nvrtcProgram program;
  std::string lto;
  size_t size = 0;
  if (l->nvrtcCreateProgram (&program, source.c_str (), "dx.cu", 0, NULL, NULL))
    return lto;
  if (! l->nvrtcCompileProgram (program, 2, options)
      && ! l->nvrtcGetLTOIRSize (program, &size))
    {
      lto.resize (size);
      if (l->nvrtcGetLTOIR (program, &lto[0]))
        lto.clear ();
    }
  l->nvrtcDestroyProgram (&program);
  return lto;
}

/* The code of descriptor D's function.  */
static inline std::string
dx_code (const dx_library *l, const dx_problem *p, long long d)
{
  long long code = 0;
  size_t size = 0;
  std::string lto;
  if (l->commondxCreateCode (&code))
    return lto;
  if (! l->commondxSetCodeOptionInt64 (code, DX_TARGET_SM, p->sm)
      && ! l->cusolverdxFinalizeCode (code, d)
      && ! l->commondxGetCodeLTOIRSize (code, &size))
    {
      lto.resize (size);
      if (l->commondxGetCodeLTOIR (code, size, &lto[0]))
        lto.clear ();
    }
  l->commondxDestroyCode (code);
  return lto;
}

/* Link the kernel, the function and the library's own code; nonzero: it failed.  */
static inline int
dx_link (const dx_library *l, const dx_problem *p, long long d,
         const std::string &kernel, const std::string &function,
         std::string *code)
{
  const std::string target = "-arch=sm_" + std::to_string (p->sm / 10);
  const char *options[] = { target.c_str (), "-lto" };
  size_t size = 0;
  nvJitLinkHandle link;
  if (kernel.empty () || function.empty ()
      || l->cusolverdxGetUniversalFATBINSize (d, &size))
    return 1;
  std::string library (size, 0);
  if (l->cusolverdxGetUniversalFATBIN (d, size, &library[0])
      || l->nvJitLinkCreate (&link, 2, options))
    return 1;
  const auto add = [&] (nvJitLinkInputType type, const std::string &x) {
    return l->nvJitLinkAddData (link, type, x.data (), x.size (), "dx");
  };
  int failed = add (NVJITLINK_INPUT_LTOIR, kernel)
               || add (NVJITLINK_INPUT_LTOIR, function)
               || add (NVJITLINK_INPUT_FATBIN, library)
               || l->nvJitLinkComplete (link)
               || l->nvJitLinkGetLinkedCubinSize (link, &size);
  if (! failed)
    {
      code->resize (size);
      failed = l->nvJitLinkGetLinkedCubin (link, &(*code)[0]);
    }
  l->nvJitLinkDestroy (&link);
  return failed;
}

/* Read or, for WRITE, write *CODE; nonzero: done.  */
static inline int
dx_file (const std::string &name, int write, std::string *code)
{
  FILE *const f = fopen (name.c_str (), write ? "wb" : "rb");
  char part[4096];
  size_t got;
  if (! f)
    return 0;
  if (write)
    fwrite (code->data (), 1, code->size (), f);
  else
    while ((got = fread (part, 1, sizeof part, f)) > 0)
      code->append (part, got);
  return fclose (f) == 0;
}

/* The code of a kernel, whose description becomes *K, for blocks of THREADS or, for 0, what
   the library suggests; empty: there is none.  Linking takes many seconds: GPUEIG_DX_CODE
   is a folder where the results stay.  */
static inline std::string
dx_build (const dx_library *l, const dx_problem *p, int threads, dx_kernel *k)
{
  const size_t element = gpueig_scalar_size (p->type);
  const char *const folder = getenv ("GPUEIG_DX_CODE");
  long long block[3], batches, work;
  size_t size = 0;
  std::string code;
  *k = {};
  long long d = dx_describe (l, p, threads, 0);
  if (d < 0 || l->cusolverdxGetTraitInt64s (d, DX_SUGGESTED_BLOCK, 3, block)
      || l->cusolverdxGetTraitInt64 (d, DX_SUGGESTED_BATCHES, &batches))
    return code;
  k->threads = threads > 0 ? threads : (int) block[0];
  k->batches = threads > 0 ? 1 : (int) batches;
  l->cusolverdxDestroyDescriptor (d);
  d = dx_describe (l, p, k->threads, k->batches);
  if (d < 0 || l->cusolverdxGetTraitInt64 (d, DX_WORKSPACE, &work)
      || l->cusolverdxGetTraitStrSize (d, DX_SYMBOL, &size))
    return code;
  std::string symbol (size, 0);
  if (l->cusolverdxGetTraitStr (d, DX_SYMBOL, size, &symbol[0]))
    return code;
  k->shared
      = ((size_t) ((1 + p->pair) * p->n * p->n * k->batches) + (size_t) work)
            * element
        + (size_t) (p->n * k->batches) * sizeof (double);
  const std::string name = (folder ? folder : "") + std::string ("/")
                           + symbol.c_str () + "-" + std::to_string (p->n) + "-"
                           + std::to_string (k->threads) + "-"
                           + std::to_string (k->batches) + ".cubin";
  if (k->shared <= DX_MOST_SHARED && (! folder || ! dx_file (name, 0, &code))
      && dx_link (l, p, d,
                  dx_compile (l, p, dx_source (p, k, symbol.c_str (), work)),
                  dx_code (l, p, d), &code)
             == 0
      && folder)
    (void) dx_file (name, 1, &code);
  l->cusolverdxDestroyDescriptor (d);
  return code;
}

/* Whether eigenvalues X are those of ours, Y, of a page.  */
static inline bool
dx_agrees (const dx_problem *p, const void *x, const void *y)
{
  double most = 0, error = 0;
  for (int i = 0; i < p->n; i++)
    {
      const double a = get_real (p->type, x, i), b = get_real (p->type, y, i);
      most = fmax (most, fabs (b));
      error = fmax (error, fabs (a - b));
    }
  return error <= p->n * most * (gpueig_is_double (p->type) ? 1e-14 : 1e-5);
}

/* Nonzero: the code is not for this GPU, or needs more shared memory than it has.  */
static inline int
dx_load_kernel (const std::string &code, dx_kernel *k)
{
  return cudaLibraryLoadData (&k->code, code.data (), NULL, NULL, 0, NULL, NULL,
                              0)
         || cudaLibraryGetKernel (&k->kernel, k->code, "solve_pages")
         || cudaFuncSetAttribute ((const void *) k->kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int) k->shared);
}

/* Seconds for PAGES pages A, or pairs (A, B), on the device, by the best block size; NaN where
   there is none, or where eigenvalues of the last page are not those in LAMBDA.  */
static inline double
dx_time (gpueig_type type, int n, int pages, const void *a, const void *b,
         const void *lambda)
{
  static const int sizes[] = { 0, 64, 128, 256 };
  const dx_library *const l = dx_load ();
  const size_t element = gpueig_scalar_size (type),
               real = gpueig_real_size (type);
  dx_problem p = { type, n, b != NULL, 0 };
  int major = 0, minor = 0, suggested = 0;
  double best = INFINITY;
  if (! l)
    return NAN;
  cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, 0);
  p.sm = 100 * major + 10 * minor;
  void *v = device_memory ((size_t) n * n * pages * element);
  void *values = device_memory ((size_t) n * pages * real);
  void *info = device_memory (sizeof (int) * (size_t) (pages + 256));
  std::vector<char> last ((size_t) n * real), ours ((size_t) n * real);
  const size_t at = (size_t) n * (pages - 1) * real;
  cudaMemcpy (ours.data (), (const char *) lambda + at, ours.size (),
              cudaMemcpyDefault);
  for (int threads : sizes)
    {
      dx_kernel k;
      const std::string code = dx_build (l, &p, threads, &k);
      if (threads == 0)
        suggested = k.batches == 1 ? k.threads : 0;
      else if (threads == suggested)
        continue;
      if (! code.empty () && dx_load_kernel (code, &k) == 0)
        {
          int count = pages, failed = 0;
          void *arguments[] = { &a, &b, &v, &values, &info, &count };
          const unsigned blocks = (unsigned) ((pages - 1) / k.batches + 1);
          cudaMemset (values, 0xff, (size_t) n * pages * real);
          const double seconds = median_of (1, RUNS, [&] {
            return event_time ([&] {
              failed |= cudaLaunchKernel ((const void *) k.kernel, blocks,
                                          (unsigned) k.threads, arguments,
                                          k.shared, 0);
            });
          });
          cudaMemcpy (last.data (), (char *) values + at, last.size (),
                      cudaMemcpyDeviceToHost);
          if (! failed && dx_agrees (&p, last.data (), ours.data ()))
            best = fmin (best, seconds);
        }
      if (k.code)
        cudaLibraryUnload (k.code);
    }
  return isfinite (best) ? best : NAN;
}

#endif
