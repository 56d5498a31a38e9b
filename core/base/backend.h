/* What core and the CUDA plugin share and no user sees: the context, its
   workspace, and the table of backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The plugin is linked with the same context.c and workspace.c; both copies
   work on the one context that they are handed.  GE_PLUGIN_ABI guards that.  */

#ifndef GE_BACKEND_H
#define GE_BACKEND_H 1

#include "gpueig_testing.h"

GPUEIG_BEGIN_C

/* Return the status of a call that failed.  */
#define GE_TRY(call)                                                           \
  do                                                                           \
    {                                                                          \
      gpueig_status ge_try_ = (call);                                          \
      if (ge_try_ != GPUEIG_OK)                                                \
        return ge_try_;                                                        \
    }                                                                          \
  while (0)

/* --- workspace: the one owner of scratch memory --- */

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

/* How one kind of memory is allocated.  alloc returns GPUEIG_OUT_OF_MEMORY when there
   is none (the message is the workspace's), another status with its message
   when it fails; available says how many bytes there are.  */
typedef struct
{
  gpueig_status (*alloc) (gpueig_context *ctx, size_t bytes, void **ptr);
  void (*release) (gpueig_context *ctx, void *ptr);
  int64_t (*available) (gpueig_context *ctx);
  /* With GPUEIG_DEBUG: make every float and double of a block NaN.  */
  void (*fill) (gpueig_context *ctx, void *ptr, size_t bytes);
} ge_memory;

/* At the begin and the end of a context.  */
void ge_workspace_begin (gpueig_context *ctx);
void ge_workspace_end (gpueig_context *ctx);

/* Take COUNT elements of SIZE bytes into *PTR until the enclosing frame is
   released.  Contents are undefined.  COUNT < 0 or an overflow is refused as
   GPUEIG_OUT_OF_MEMORY.  COUNT = 0 gives a valid pointer.  Main thread only.  */
gpueig_status ge_alloc (gpueig_context *ctx, ge_space space, int64_t count,
                        size_t size, void **ptr);

/* A block that the caller frees itself, by memory[SPACE].release.  What the
   workspace keeps of SPACE is given back first where memory is short.  */
gpueig_status ge_alloc_block (gpueig_context *ctx, ge_space space, size_t bytes,
                              void **ptr);

/* Typed form: GE_ALLOC (ctx, GE_HOST, n * n, &a).  */
#define GE_ALLOC(ctx, space, count, pptr)                                      \
  ge_alloc (ctx, space, count, sizeof **(pptr), (void **) (pptr))

/* Frames: all that was taken since ge_mark goes back to the cache with
   ge_release.  The fronts in core do this around every call, so a solver that
   returns early leaks nothing.  */
int ge_mark (const gpueig_context *ctx);
void ge_release (gpueig_context *ctx, int mark);

/* Free cached blocks of a space until at most KEEP bytes of it stay cached.  */
void ge_trim_space (gpueig_context *ctx, ge_space space, size_t keep);

/* Prepare a large result for being written the first time: huge pages, which
   make the first touch three times faster.  */
void ge_prepare_output (void *ptr, size_t bytes);

/* Bytes of host memory and swap that can be had without the kernel ending a process: of
   the machine, by PROC ("/proc"), and of the process's control group and those
   around it, by GROUPS ("/sys/fs/cgroup", either version).  */
int64_t ge_memory_available (const char *proc, const char *groups);

/* *PRODUCT = A * B, or GPUEIG_OUT_OF_MEMORY when it does not fit.  */
gpueig_status ge_multiply (gpueig_context *ctx, int64_t a, int64_t b,
                           int64_t *product);

/* --- the table of backends --- */

/* One slot per solver, named after the file that has it.  PROBLEM points to the
   solver's own struct of gpueig.h and is validated (sizes, pointers, finite and
   symmetric data, n > 0, pages > 0).  The CPU has every slot; where the plugin's
   is NULL, "auto" takes the CPU and "cuda" is refused.  */
typedef enum
{
  GE_JACOBI_EIG,    /* gpueig_symmetric */
  GE_ONESIDED_EIG,  /* gpueig_symmetric */
  GE_EIG_SYMMETRIC, /* gpueig_symmetric */
  GE_EIG_GENERAL,   /* ge_general_problem */
  GE_TDINV,         /* ge_tdinv_problem, see tdinv.h */
  GE_MRRR,          /* gpueig_mrrr_problem */
  GE_COMPLEX_EIG,   /* ge_general_problem */
  GE_SCHUR,         /* ge_schur_problem, see schur/schur.h */
  GE_SOLVERS
} ge_solver_id;

/* A general problem as solvers get it: pages they cannot solve are marked in
   STATE (nonzero, see complex_eig/block.h), and the front has them finished.  */
typedef struct
{
  gpueig_general general;
  unsigned char *state; /* one per page, 0 to begin with */
} ge_general_problem;

typedef gpueig_status ge_solver (gpueig_context *, const void *problem,
                                 const gpueig_options *, gpueig_info *);

typedef struct
{
  const char *name;
  ge_solver *solver[GE_SOLVERS];
} ge_backend;

extern const ge_backend ge_cpu_backend;

/* The plugin's only export, gpueig_plugin: the ABI it was built for and its
   entry points.  open is called once with each context; it sets CTX's pinned
   and device memory, close undoes it.  select makes a device the one of CTX and
   of the calling thread; count returns how many there are.  */
#define GE_PLUGIN_ABI "gpueig " GPUEIG_VERSION " abi 9"

typedef struct
{
  const char *abi;
  gpueig_status (*open) (gpueig_context *ctx); /* BAD: message says why */
  void (*close) (gpueig_context *ctx);
  gpueig_status (*select) (gpueig_context *ctx, int device);
  gpueig_status (*count) (gpueig_context *ctx, int *devices);
  void (*query) (gpueig_context *ctx, gpueig_machine *machine);
  /* One matrix that is too large for the first of N >= 2 devices on all of them;
     *TAKEN is 0, and nothing done, when that one has room and CTX->share_matrix
     is not set.  May be NULL.  */
  gpueig_status (*eig_on_devices) (gpueig_context *ctx,
                                   const gpueig_symmetric *problem,
                                   const int *devices, int n, gpueig_info *info,
                                   int *taken);
  ge_backend backend;
} ge_plugin;

/* --- context --- */

typedef struct ge_detached ge_detached;
typedef struct ge_pool ge_pool;

struct gpueig_context
{
  char message[512];
  gpueig_callbacks callbacks;
  /* of the running call */
  int display;
  double start, last_line; /* when it began, and last reported */

  /* workspace: a stack of blocks in use order, cached ones among them */
  ge_block *blocks;
  int n_blocks, max_blocks;
  ge_memory memory[GE_SPACES];
  int64_t in_use, peak; /* bytes of blocks in use; most of a call */
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
  char plugin_reason[256]; /* why CUDA is not used */
  void *plugin_handle;
  const ge_plugin *plugin;
  void *plugin_data; /* the plugin's own state */
  char fault[160];   /* "", or what made the GPU unusable */
  int fault_told;    /* by info->device_lost */

  /* MPI backend: the program, and what was found for a worker and a launcher,
     which the environment can change; KEY is both */
  char *worker_file;
  struct
  {
    char key[1024], engines[128], reason[256];
  } mpi;

  ge_detached *detached; /* an interrupted job that still runs, or NULL */

  /* several GPUs, devices.c: the contexts of the devices, by number, NULL where
     not used yet; in one of them, which pages of a stack it has */
  gpueig_context *child[GPUEIG_MAX_DEVICES];
  int n_children;
  int64_t stack_pages, first_page; /* 0 pages: all */
  /* ... or the spectrum of which it computes a part: the whole selection, from 1;
     0: no part.  See mrrr/setup.c.  */
  int64_t spectrum_first, spectrum_last;

  /* the running call: depth of nested ones, and the numbers of threads that
     the outermost found */
  int depth, omp_threads, blas_threads;

  ge_pool *pool; /* core's threads, see core/base/threads.c */
};

/* GPUEIG_INTERRUPTED if the user wants to stop.  Call between sweeps and
   stages, from the calling thread.  */
gpueig_status ge_check_interrupt (gpueig_context *ctx);

/* One line of progress, if the user asked for it, with the time since the call
   began.  ge_run says where a call runs and, at its end, by which method; what
   takes longer than a second reports its stages, sweeps or pages besides.  */
void ge_report (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* One line for the user in any case.  */
void ge_notice (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* A line on DONE of PAGES pages by WHAT: at the end and after a second without a
   line; none for one page.  */
void ge_report_pages (gpueig_context *ctx, const char *what, int64_t done,
                      int64_t pages);

/* --- threads, core/base/threads.c --- */

/* How many the backend may use, the calling one included.  */
int ge_threads (void);

/* WORK (DATA, i, thread) for i from 0 to COUNT - 1, THREAD below ge_threads (),
   on all threads that can be had; SHARED: worth waking them up.  The calling one
   is thread 0.  To the end, without BLAS.  CTX NULL: on the calling thread.  */
typedef void ge_piece (void *data, int64_t i, int thread);
void ge_share_pass (gpueig_context *ctx, int64_t count, int shared,
                    ge_piece *work, void *data);

double ge_now (void); /* seconds, monotonic */

/* The larger one; NaN if one of them is, which fmax would lose.  */
static inline double
ge_larger (double x, double y)
{
  return x >= y || x != x ? x : y;
}

/* --- a lost GPU ---

   After a fault of the device (trap, wild address, ...) every CUDA call of the
   process fails, and there is no way back.  The plugin reports the fault by
   ge_device_lost; from then on its memory and handles are abandoned, and calls
   are served by the CPU or refused (backend.c).  */

/* Records what happened, the first time it is called, and returns
   GPUEIG_DEVICE_ERROR with a message that says so.  */
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

   WORK (JOB) on a thread of its own while this one polls for an interrupt.
   JOB holds all that WORK reads and writes.  After GPUEIG_OK it is the caller's
   again.  After GPUEIG_INTERRUPTED it is not: DISCARD (JOB) frees it, at the
   end of WORK if that has begun.  */
gpueig_status ge_run_detachable (gpueig_context *ctx, void (*work) (void *job),
                                 void (*discard) (void *job), void *job);

/* A job of BYTES bytes, to be given to free.  */
gpueig_status ge_alloc_job (gpueig_context *ctx, size_t bytes, void **job);

/* Wait for the end of the detached job, if there is one.  */
void ge_join_detached (gpueig_context *ctx);

/* --- info --- */

void ge_info_begin (gpueig_info *info);
void ge_info_method (gpueig_info *info, const char *method);
void ge_info_fallback (gpueig_info *info, const char *solver);
void ge_info_off (gpueig_info *info, double off); /* append to the history */
/* The history of several pages: the largest of all after each sweep.  */
void ge_info_merge_sweeps (gpueig_info *info, const gpueig_info *one);
void ge_info_extra (gpueig_info *info, const char *name, double value);

/* --- several GPUs ---

   A solver that has a share of a stack, PAGES pages, chooses its method by the
   pages of the whole stack and names pages by their place there.  */
static inline int64_t
ge_stack_pages (const gpueig_context *ctx, int64_t pages)
{
  return ctx->stack_pages > 0 ? ctx->stack_pages : pages;
}

/* --- calling a backend --- */

/* Decide where a call runs and run it there.  CUDA_PAYS: in "auto", whether a
   GPU would be faster for this size; only then is a GPU looked for.  A failing
   GPU sends an "auto" call to the CPU (info->fallback is "cpu"), a backend that
   the user named is never replaced.  */
gpueig_status ge_run (gpueig_context *ctx, ge_solver_id id, int cuda_pays,
                      const void *problem, const gpueig_options *options,
                      gpueig_info *info);

GPUEIG_END_C

#endif
