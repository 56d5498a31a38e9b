/* Internal interface between core and the CUDA plugin: the context, its workspace,
   and the table of backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The plugin is linked with its own copies of the files of core that it needs, which use
   the same struct gpueig_context; GE_PLUGIN_ABI ensures equal layouts.  */

#ifndef GE_CONTEXT_H
#define GE_CONTEXT_H 1

#include "gpueig_methods.h"
#include "gpueig_testing.h"
#include "gpueig_try.h"

#include "base/system.h"

GPUEIG_BEGIN_C

/* DECLARE (SUFFIX) for each scalar type.  */
#define GE_FOR_TYPES(declare) declare (s) declare (d) declare (c) declare (z)

/* --- workspace: owner of all scratch memory --- */

typedef enum
{
  GE_HOST,   /* 64-byte aligned, huge pages where large */
  GE_PINNED, /* page-locked host memory, owned by the plugin */
  GE_DEVICE, /* memory of the current GPU */
  GE_SPACES
} ge_space;

typedef struct
{
  void *ptr;
  size_t bytes;
  ge_space space;
  int used;
} ge_block;

/* Functions for one kind of memory.  alloc returns GPUEIG_OUT_OF_MEMORY when memory
   is exhausted (the workspace sets the message), another status and its message for
   other failures; available returns the number of free bytes.  */
typedef struct
{
  gpueig_status (*alloc) (gpueig_context *ctx, size_t bytes, void **ptr);
  void (*release) (gpueig_context *ctx, void *ptr);
  int64_t (*available) (gpueig_context *ctx);
  /* With GPUEIG_DEBUG: make every float and double of a block NaN.  */
  void (*fill) (gpueig_context *ctx, void *ptr, size_t bytes);
} ge_memory;

/* Called by gpueig_create and gpueig_destroy.  */
void ge_workspace_begin (gpueig_context *ctx);
void ge_workspace_end (gpueig_context *ctx);

/* *PTR = COUNT elements of SIZE bytes, valid until the enclosing frame is released.
   Contents are undefined.  COUNT < 0 or an overflow returns GPUEIG_OUT_OF_MEMORY.
   COUNT = 0 gives a valid pointer.  To be called by the thread that called the
   solver.  */
gpueig_status ge_alloc (gpueig_context *ctx, ge_space space, int64_t count,
                        size_t size, void **ptr);

/* A block that the caller frees by memory[SPACE].release.  Where memory is short, the
   cached blocks of SPACE are freed first.  */
gpueig_status ge_alloc_block (gpueig_context *ctx, ge_space space, size_t bytes,
                              void **ptr);

/* Typed form: GE_ALLOC (ctx, GE_HOST, n * n, &a).  */
#define GE_ALLOC(ctx, space, count, pptr)                                      \
  ge_alloc (ctx, space, count, sizeof **(pptr), (void **) (pptr))

/* Frames: ge_release returns all blocks that were allocated since ge_mark to the
   cache.  ge_begin and ge_end do this around every call, so a solver that returns
   early leaks nothing.  */
int ge_mark (const gpueig_context *ctx);
void ge_release (gpueig_context *ctx, int mark);

/* A block outside of all frames, and its return to the cache (with KEEP 0, or if many
   blocks are cached: to the system).  ctx->held counts their bytes.  */
gpueig_status ge_take_block (gpueig_context *ctx, ge_space space, size_t bytes,
                             ge_block *block);
void ge_return_block (gpueig_context *ctx, const ge_block *block, int keep);

/* Free cached blocks of a space until at most KEEP bytes of it stay cached.  */
void ge_trim_space (gpueig_context *ctx, ge_space space, size_t keep);

/* *PRODUCT = A * B, or GPUEIG_OUT_OF_MEMORY when it does not fit.  */
gpueig_status ge_multiply (gpueig_context *ctx, int64_t a, int64_t b,
                           int64_t *product);

/* --- the table of backends --- */

/* Tridiagonal matrices by their eigenvectors: they decay, as those of random matrices of
   large order; they do not, as those of (1, 4, 1); or many eigenvalues are in clusters.  */
typedef enum
{
  GE_LOCALIZED,
  GE_SPREAD,
  GE_CLUSTERED,
  GE_SPECTRA
} ge_spectrum;

/* The plan of a call, decided once (core/plan/plan.h), before a stack is divided.  METHOD is
   one of the solver's.  If the user did not name it, the solver may take another where a
   page asks for it, or where METHOD cannot serve.  */
typedef struct
{
  gpueig_backend backend;
  ge_method method;
  int named;          /* the user named the method */
  int estimated;      /* SECONDS is scaled from other measurements */
  double seconds;     /* expected; 0: unknown */
  int64_t host_bytes; /* scratch memory that the solver needs */
  int64_t device_bytes;
} ge_plan;

/* The CPU backend has every solver; where the plugin's slot is NULL, GPUEIG_AUTO uses the
   CPU and GPUEIG_CUDA returns an error.  PROBLEM is validated (sizes, pointers, finite
   and symmetric data, n > 0, pages > 0); the structs are named at ge_solver_id.  */
typedef gpueig_status ge_solver (gpueig_context *, const void *problem,
                                 const ge_plan *, const gpueig_options *,
                                 gpueig_info *);

/* A pair as passed to solvers has INDEFINITE; a GPU sets it to GE_PAIR_LEFT where
   rounding errors would be too large, and gpueig_eig_symmetric solves those pages of a
   stack on the CPU (one page stays on the GPU: cuda/eig/graded.cu).  The criterion, with
   Frobenius norms: |B| |C| > GE_PAIR_GROWTH sqrt (n) |A|, C the reduced matrix.  */
enum
{
  GE_PAIR_LEFT = -1,
  GE_PAGE_FAILED = -2, /* a page that the method did not solve */
  GE_PAIR_GROWTH = 20
};

/* The columns of lambda and V per page.  */
static inline int64_t
ge_part_columns (const gpueig_symmetric *s)
{
  return s->select == GPUEIG_SELECT_INDEX ? s->last - s->first + 1 : s->n;
}

/* Operations on arrays, array/ops.h.  */
typedef struct ge_array_ops ge_array_ops;

/* Functions that core needs for problems of place GPUEIG_DEVICE (run/placed.c).
     locate   the GPU that has the memory at POINTER; GPUEIG_BAD_ARGUMENT if none has
     reaches  let the selected GPU use the memory of DEVICE; nonzero if it can
     wait     wait for the solvers and the legacy default stream of the selected GPU
     copy     between host memory and any GPU, or between GPUs; done on return
     put      BYTES from host memory or, DIRECT, a GPU to the selected GPU, before what is
              queued there next; FROM may change on return
     get      BYTES from the selected GPU, after what is queued there; done on return
     inspect  FACTS of every page of A on the selected GPU; NULL: return NOT_SYMMETRIC
   and for copies during the computation (run/movers.c), in LANES 0 .. COUNT - 1 that
   open_lanes prepares.  Those that return int, an error of which FAILURE makes a status
   or 0, may be called by other threads, once they have called enter:
     start    begin to copy between pinned memory and the selected GPU
     finish   wait for it  */
typedef struct
{
  /* For finite pages: the largest modulus of a real or imaginary part, the extremes of
     the real parts of the diagonal.  */
  double largest, least_diagonal, most_diagonal;
  int finite;
  int symmetric; /* finite, and equal to its conjugate transpose bit for bit */
} ge_page_facts;

typedef struct
{
  gpueig_status (*locate) (gpueig_context *ctx, const void *pointer,
                           int *device);
  int (*reaches) (gpueig_context *ctx, int device);
  gpueig_status (*wait) (gpueig_context *ctx);
  gpueig_status (*copy) (gpueig_context *ctx, void *to, const void *from,
                         size_t bytes);
  gpueig_status (*put) (gpueig_context *ctx, void *to, const void *from,
                        size_t bytes, int direct);
  gpueig_status (*get) (gpueig_context *ctx, void *to, const void *from,
                        size_t bytes, int direct);
  gpueig_status (*inspect) (gpueig_context *ctx, gpueig_type type,
                            const void *a, int64_t n, int64_t pages,
                            ge_page_facts *facts);
  gpueig_status (*open_lanes) (gpueig_context *ctx, int count);
  int (*enter) (gpueig_context *ctx);
  int (*start) (gpueig_context *ctx, int lane, void *to, const void *from,
                size_t bytes);
  int (*finish) (gpueig_context *ctx, int lane);
  gpueig_status (*failure) (gpueig_context *ctx, int error);
} ge_device_memory;

enum
{
  GE_LANES = 32 /* the most */
};

/* The plugin's only exported symbol is gpueig_plugin: the ABI it was built for and
   its entry points.  open is called once for each context; it sets CTX's functions
   for pinned and device memory; close undoes this.  select makes a device the
   current one of CTX and of the calling thread; count returns their number.  */
#define GE_PLUGIN_ABI "gpueig " GPUEIG_VERSION " abi 34"

typedef struct
{
  const char *abi;
  gpueig_status (*open) (gpueig_context *ctx); /* on failure sets the message */
  void (*close) (gpueig_context *ctx);
  gpueig_status (*select) (gpueig_context *ctx, int device);
  gpueig_status (*count) (gpueig_context *ctx, int *devices);
  void (*query) (gpueig_context *ctx, gpueig_machine *machine);
  /* Describe DEVICE alone, without its free memory.  */
  void (*describe) (gpueig_context *ctx, int device,
                    gpueig_device *description);
  /* Solve one matrix that exceeds the memory of the first of N >= 2 devices on all of
     them.  *TAKEN = 0, and nothing is solved, if it fits there and
     CTX->share_matrix is not set.  May be NULL.  */
  gpueig_status (*eig_on_devices) (gpueig_context *ctx,
                                   const gpueig_symmetric *problem,
                                   const int *devices, int n, gpueig_info *info,
                                   int *taken);
  ge_solver *solver[GE_SOLVERS];
  const ge_array_ops *arrays;     /* NULL: none */
  const ge_device_memory *memory; /* NULL: problems are in host memory */
} ge_plugin;

/* --- context --- */

typedef struct ge_detached ge_detached;
typedef struct ge_pool ge_pool;
typedef struct ge_arrays ge_arrays;

/* Kinds of work for threads other than the calling one, each with threads of its own.  */
typedef enum
{
  GE_COPIES,    /* to and from a GPU */
  GE_DEFLATION, /* of a window of the QR iteration on a GPU */
  GE_ASIDES
} ge_aside;

struct gpueig_context
{
  char message[512];
  gpueig_callbacks callbacks;
  /* of the running call */
  int display;
  double start, last_line; /* its start and its last report, by ge_now */

  /* workspace: blocks in use, in order of allocation, then cached blocks */
  ge_block *blocks;
  int n_blocks, max_blocks;
  ge_memory memory[GE_SPACES];
  int64_t in_use, peak; /* bytes of blocks in use; maximum of this call */
  int64_t
      unasked; /* bytes allocated since the last comparison with free memory */
  int64_t
      unwritten; /* ge_unwritten () when this call first asked; -1: it has not */
  int64_t held[GE_SPACES]; /* bytes of blocks outside of frames */
  int64_t alloc_count, alloc_fail;
  int64_t device_count, device_fail, device_fault;
  gpueig_fault fault_kind;                   /* of call device_fault */
  int limit_multiprocessors, limit_clusters; /* gpueig_limit_device */
  int64_t limit_shared;
  int share_matrix; /* gpueig_share_matrix */

  /* plugin */
  char *plugin_file;
  int plugin_named; /* by gpueig_set_plugin */
  int plugin_tried;
  char plugin_reason[256]; /* why CUDA cannot be used */
  void *plugin_handle;
  const ge_plugin *plugin;
  void *plugin_data; /* the plugin's own state */
  char fault[160];   /* "", or the fault that made the GPU unusable */
  int fault_told;    /* info->device_lost has been set once */
  int selected;      /* device, see ge_select_device */

  ge_arrays *arrays; /* see array/registry.c; NULL: none yet */

  /* MPI backend: the worker program, and the cached result of querying it; KEY is
     worker and launcher, which environment variables can change */
  char *worker_file;
  struct
  {
    char key[1024], engines[128], reason[256];
  } mpi;

  ge_detached *detached; /* an interrupted job that still runs, or NULL */

  /* several GPUs, run/devices.c: child contexts by device number, NULL if not
     used yet; in a child: its share of a stack begins at FIRST_PAGE of STACK_PAGES */
  gpueig_context *child[GPUEIG_MAX_DEVICES];
  int n_children;
  int64_t stack_pages, first_page; /* 0: no share, see ge_stack_pages */
  /* in a child that computes a part of a spectrum: the indices, from 1, of the
     whole selection; 0: no part.  See mrrr/setup.c.  */
  int64_t spectrum_first, spectrum_last;

  /* depth of nested calls; the number of threads to restore at the end of the
     outermost; limits of the BLAS that are in force, see base/solver.h */
  int depth, omp_threads, blas_limits[2];

  struct ge_plan_cache *plans; /* of core/run, NULL at first */

  ge_pool *pool; /* core's threads, see core/base/threads.c */

  /* the method that core/tune measures, also one without a name; GE_AUTO: none */
  ge_method measured;

  ge_pool *aside_pool[GE_ASIDES]; /* core's threads for ge_begin_aside */
  int64_t limit_chunk;            /* gpueig_limit_chunk */
  int wide_indices;               /* gpueig_widen_indices */

  /* by ge_solver_id, see base/solver.h and gpueig.c */
  const struct ge_solver_entry *const *solvers;
  /* wait for operations on arrays; NULL: there are none yet */
  gpueig_status (*wait_arrays) (gpueig_context *);
};

/* GPUEIG_INTERRUPTED if the callback INTERRUPTED returns nonzero.  To be called
   between sweeps and stages, by the thread that called the solver.  */
gpueig_status ge_check_interrupt (gpueig_context *ctx);

/* If options.display is set, report one line of progress and the time since the call
   began.  ge_run reports the backend and, at the end, the method; computations longer
   than a second also report stages, sweeps or pages.  */
void ge_report (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* Report one line whether options.display is set or not.  */
void ge_notice (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* Report that WHAT has solved DONE of PAGES pages: at the end, and when a second has
   passed since the last line.  Nothing is reported for one page.  */
void ge_report_pages (gpueig_context *ctx, const char *what, int64_t done,
                      int64_t pages);

/* --- threads, core/base/threads.c --- */

/* The number of threads the CPU backend may use, the calling one included.  */
int ge_threads (void);

/* Threads for COUNT pieces with OPERATIONS operations together, of about a nanosecond
   each: at least 1, at most ge_threads () and COUNT, and only as many as are worth the
   time of waking them.  */
#define GE_MANY_OPERATIONS 1e300 /* worth all threads */
int ge_threads_for (double operations, int64_t count);

/* Call WORK (DATA, i, thread) for i = 0 .. COUNT - 1 on ge_threads_for (OPERATIONS, COUNT)
   threads, numbered from 0, the calling thread; on that one alone if CTX is NULL.  Cannot
   be interrupted; WORK must not call BLAS.  */
typedef void ge_piece (void *data, int64_t i, int thread);
void ge_share_pass (gpueig_context *ctx, int64_t count, double operations,
                    ge_piece *work, void *data);

/* Call WORK (DATA, i, thread) for i = 0, 1 .. on up to COUNT threads that are for ASIDE, not
   the calling one, each on a thread of its own, and return their number at once, 0 if there
   can be none or if they are busy.  ge_end_aside waits for the calls that have begun; no
   other begins after it.  */
int ge_begin_aside (gpueig_context *ctx, ge_aside aside, int count,
                    ge_piece *work, void *data);
void ge_end_aside (gpueig_context *ctx, ge_aside aside);

double ge_now (void); /* seconds, monotonic */

/* max (x, y), NaN if one of them is NaN (unlike fmax).  */
static inline double
ge_larger (double x, double y)
{
  return x >= y || x != x ? x : y;
}

/* --- a lost GPU ---

   After a fault of the device (trap, illegal address, ...) every CUDA call of the
   process fails, and the process cannot recover.  The plugin reports the fault by
   ge_device_lost; from then on its memory and handles are not touched, and calls
   run on the CPU or return GPUEIG_NO_DEVICE (core/run).  */

/* Record the fault, in the first call only, and return GPUEIG_DEVICE_ERROR with a
   message that contains it.  */
gpueig_status ge_device_lost (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

static inline int
ge_device_is_lost (const gpueig_context *ctx)
{
  return ctx->fault[0] != '\0';
}

/* --- computations that cannot be interrupted, detached.c ---

   Run WORK (JOB) on a separate thread while the calling thread polls for an
   interrupt.  WORK may access only memory that JOB owns.  After GPUEIG_OK the caller
   owns JOB again; after GPUEIG_INTERRUPTED the caller must not touch it: DISCARD
   (JOB) frees it, after WORK has returned if it was started.  */
gpueig_status ge_run_detachable (gpueig_context *ctx, void (*work) (void *job),
                                 void (*discard) (void *job), void *job);

/* To be called by WORK, on its thread: DEFLATED of ORDER eigenvalues have converged, which the waiting
   thread reports once a second.  No effect elsewhere.  */
void ge_note_deflated (int64_t deflated, int64_t order);

/* Nonzero if the caller has a callback for interrupts; without one nothing need be
   detachable, with copies of its data.  */
static inline int
ge_can_interrupt (const gpueig_context *ctx)
{
  return ctx->callbacks.interrupted != NULL;
}

/* *JOB = BYTES bytes of memory, to be released by ge_aligned_free.  */
gpueig_status ge_alloc_job (gpueig_context *ctx, size_t bytes, void **job);

/* Wait for the end of the detached job, if there is one.  */
void ge_join_detached (gpueig_context *ctx);

/* --- info --- */

void ge_info_begin (gpueig_info *info);
void ge_info_method (gpueig_info *info, const char *method);
void ge_info_fallback (gpueig_info *info, const char *solver);
/* Where PLAN's method was not named, that another one followed it is no failure: this one
   is the method, or "auto" of several pages.  */
void ge_info_planned (gpueig_info *info, const ge_plan *plan, int64_t pages);
void ge_info_off (gpueig_info *info, double off); /* append to the history */
/* Merge the convergence history of ONE into INFO: elementwise maximum.  */
void ge_info_merge_sweeps (gpueig_info *info, const gpueig_info *one);
void ge_info_extra (gpueig_info *info, const char *name, double value);

/* --- several GPUs ---

   A solver that gets a share of a stack, PAGES pages, must choose its method by the
   number of pages of the whole stack (returned here), and number pages in messages
   by their position there.  */
static inline int64_t
ge_stack_pages (const gpueig_context *ctx, int64_t pages)
{
  return ctx->stack_pages > 0 ? ctx->stack_pages : pages;
}

/* Until ctx->stack_pages is set to the number that this returns, solvers get parts of a
   stack of PAGES pages.  */
static inline int64_t
ge_plan_for_stack (gpueig_context *ctx, int64_t pages)
{
  const int64_t before = ctx->stack_pages;
  ctx->stack_pages = ge_stack_pages (ctx, pages);
  return before;
}

/* --- the selected GPU, and arrays --- */

/* Load the plugin, in the first call only; GPUEIG_NO_DEVICE with the reason if no GPU
   can be used.  */
gpueig_status ge_need_gpu (gpueig_context *ctx);

/* Make DEVICE the current one of CTX; a change of the device first waits for operations
   on arrays.  ctx->selected becomes DEVICE, or -1 if this fails.  */
gpueig_status ge_select_device (gpueig_context *ctx, int device);

/* The registry of arrays: free what is on GPUs, before the plugin is unloaded; free
   all.  */
void ge_lose_arrays (gpueig_context *ctx);
void ge_end_arrays (gpueig_context *ctx);

GPUEIG_END_C

#endif
