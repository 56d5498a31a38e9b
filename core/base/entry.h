/* Facts about a solver that core needs to call it: the shape of a problem, its division,
   and the solver's entry.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ENTRY_H
#define GE_ENTRY_H 1

#include "base/layout.h"

/* The shape of a problem: what its time and memory depend on.  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  int outputs; /* 0 eigenvalues alone, 1 vectors, 2 left vectors too */
  int pair;    /* (A, B) */
  int guess;   /* approximate eigenvectors are given */
  int is_tridiagonal;
  ge_spectrum spectrum;       /* of a tridiagonal matrix, if it is known */
  int part;                   /* of the spectrum, as gpueig_select */
  int on_device;              /* the data is on the GPU */
  int high_accuracy, limited; /* options: limits of sweeps or a tolerance */
} ge_shape;

/* Division of UNITS (pages of a stack, columns of an inverse, or, if SPECTRUM,
   eigenvalues of one tridiagonal matrix) into SHARES contiguous shares: share i has
   units begin[i] .. begin[i + 1] - 1.  */
typedef struct
{
  int shares, spectrum;
  int64_t units;
  int64_t begin[GPUEIG_MAX_DEVICES + 1];
  const int64_t *columns; /* of an inverse, from 0 */
} ge_division;

/* The kind that every page must be of, otherwise the call fails with GPUEIG_NOT_SYMMETRIC:
   finite and equal to its conjugate transpose, or what ge_is_plain says.  */
typedef enum
{
  GE_CHECKED,
  GE_CHECK_SYMMETRIC,
  GE_CHECK_PLAIN
} ge_check;

/* How a method uses arrays on a GPU, whose memory has the large ones: it overwrites the large
   inputs; it leaves the vectors where the matrices were, of the same size; its arrays of O(n)
   numbers per page are there, too; it takes large arrays anywhere and moves panels of them;
   it reads inputs and writes results once, so that memory of another GPU serves.  */
enum
{
  GE_OVERWRITES = 1,
  GE_IN_PLACE = 2,
  GE_VALUES = 4,
  GE_PANELS = 8,
  GE_PASSES_ONCE = 16
};

/* Why an attempt left a problem or pages of it to the next one, which serves some reasons.  */
typedef enum
{
  GE_LEFT_NO_DEVICE = 1,        /* there is no GPU */
  GE_LEFT_DEVICE = 2,           /* a GPU or its memory failed */
  GE_LEFT_FAILED = 4,           /* the method failed */
  GE_LEFT_UNCONVERGED = 8,      /* some page did not converge */
  GE_LEFT_PARTS = 16,           /* parts of a spectrum must be solved as one */
  GE_LEFT_PAGES = 32,           /* the method failed for these pages */
  GE_LEFT_ILL_CONDITIONED = 64, /* pages need another method */
  GE_LEFT_CLASS = 128,          /* another method is exact for these pages */
  /* another backend may solve it */
  GE_LEFT_BY_GPU = GE_LEFT_NO_DEVICE | GE_LEFT_DEVICE | GE_LEFT_FAILED
} ge_left_reason;

enum
{
  GE_NEXT = 3 /* the most methods that follow on the CPU */
};

/* METHOD of the CPU follows where one of the reasons SERVES is why; SERVES = 0: nothing.  */
typedef struct
{
  ge_method method;
  unsigned serves;
} ge_next_method;

/* One for each solver, in its module; ctx->solvers is the table.  */
typedef struct ge_solver_entry
{
  ge_solver_id id;
  ge_solver *cpu, *mpi;    /* MPI: NULL if the backend has none */
  const ge_layout *layout; /* without pages: no stack */
  void (*describe) (const void *problem, ge_shape *shape);
  /* Scratch memory that METHOD needs at least, on the CPU or in device memory, in n-by-n
     arrays of the type; NULL: a few vectors.  */
  double (*arrays) (const ge_shape *shape, ge_method method,
                    gpueig_backend backend);
  /* How METHOD uses arrays on a GPU, a sum of GE_OVERWRITES ...; NULL: as USES says of all.  */
  unsigned (*takes) (const ge_shape *shape, ge_method method);
  unsigned uses;
  /* NULL, or: why page P was left, a ge_left_reason or 0; NULL: GE_LEFT_PAGES where its flag,
     a byte, is not 0.  */
  unsigned (*left) (const void *problem, int64_t p);
  /* NULL, or: look at results in host memory that a method returned, and mark what it left.  */
  gpueig_status (*inspect) (gpueig_context *ctx, const void *problem,
                            gpueig_info *info);
  /* The last attempts, in their order, also of pairs.  */
  ge_next_method next[GE_NEXT], next_of_pairs[GE_NEXT];
  /* Where the user named none of the CPU's methods, that another one followed is no fallback.  */
  int equal_methods;
  /* NULL, or: the error in the data, where a GPU left pages or the matrices are not what they
     must be.  */
  gpueig_status (*check_data) (gpueig_context *ctx, const void *problem,
                               gpueig_info *info);
  /* NULL, or: what must still be checked of the matrices in host memory: they are where
     they are solved, or on a GPU after their copy.  */
  ge_check (*unchecked) (const void *problem);
  /* Shares on several GPUs.  NULL: pages.  The number of units that can be divided, *LEAST
     the fewest of a share.  */
  int64_t (*units) (const void *problem, ge_method method, int64_t *least);
  /* NULL, or: complete an equal division into two shares or more.  Scratch memory is
     allocated in the caller's frame.  */
  gpueig_status (*divide) (gpueig_context *ctx, const void *problem,
                           ge_method method, ge_division *division);
  /* Make *SHARE, pointers into the arrays of PROBLEM, of what is no stack of pages, and
     record in CHILD, the context that will solve it, what it is a part of.  */
  void (*share) (const void *problem, const ge_division *division, int i,
                 gpueig_context *child, void *share);
  /* NULL, or: solve one problem in host memory that exceeds the memory of the first of
     N >= 2 devices on all of them.  *TAKEN = 0: it fits there, and nothing is done.  */
  gpueig_status (*share_one) (gpueig_context *ctx, const void *problem,
                              const ge_plan *plan, const int *devices, int n,
                              gpueig_info *info, int *taken);
  /* Info of shares: history of all shares, not of the one with the most sweeps; further
     values of the last share, not of that with the most sweeps.  */
  int history_of_all, values_of_last;
} ge_solver_entry;

#endif
