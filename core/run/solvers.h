/* The solvers' entries, and the CPU's solvers for those that call each other.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SOLVERS_H
#define GE_SOLVERS_H 1

#include "run/run.h"

/* Every solver's entry, by ge_solver_id, what ctx->solvers is; each is defined in the
   solver's module.  */
extern const ge_solver_entry *const ge_solvers[GE_SOLVERS];
#define GE_DECLARE(solver, name)                                               \
  extern const ge_solver_entry ge_##name##_entry;                              \
  ge_solver ge_cpu_##name;
GE_SOLVER_LIST (GE_DECLARE)
#undef GE_DECLARE

/* As ge_run; with options->high_accuracy pages of single precision with positive diagonal
   elements so different that their squares leave its range are solved in double precision,
   and all must have been checked.  */
gpueig_status ge_run_high (gpueig_context *ctx, ge_solver_id solver,
                           ge_method method, const gpueig_symmetric *problem,
                           const gpueig_options *options, gpueig_info *info);

/* Solve the definite pairs of PROBLEM, which has been checked, by Jacobi: for
   gpueig_jacobi_eig, and for gpueig_eig_symmetric with options->high_accuracy.  METHOD
   must be GE_AUTO.  Factors on the CPU, calls ge_run for what follows.  */
gpueig_status ge_high_pairs (gpueig_context *ctx,
                             const gpueig_symmetric *problem, ge_method method,
                             const gpueig_options *options, gpueig_info *info);

/* The solvers of the backend "mpi", and what it adds to gpueig_query.  */
ge_solver ge_mpi_eig_symmetric;
ge_solver ge_mpi_mrrr;
void ge_mpi_query (gpueig_context *ctx, gpueig_machine *machine);

/* --- of solvers whose problem is a gpueig_symmetric or a gpueig_general --- */

void ge_describe_symmetric (const void *problem, ge_shape *shape);
gpueig_status ge_check_symmetric_data (gpueig_context *ctx, const void *problem,
                                       gpueig_info *info);
void ge_describe_general (const void *problem, ge_shape *shape);

/* The member UNCHECKED in entries of solvers: symmetry must be checked unless the caller has, or
   for pairs.  */
ge_check ge_unchecked_symmetric (const void *problem);

/* Why a method left page P: pairs with ill-conditioned B, or because it failed.  */
unsigned ge_left_of_symmetric (const void *problem, int64_t p);

/* No page of S, marked or not, is one that a method left because it failed.  */
void ge_clear_failed (const gpueig_symmetric *s);

int ge_arguments_of_symmetric (const void *problem,
                               ge_argument argument[GE_ARGUMENTS]);
int ge_arguments_of_general (const void *problem,
                             ge_argument argument[GE_ARGUMENTS]);

extern const ge_layout ge_layout_symmetric, ge_layout_general;

/* --- stacks with pages of several classes, classes.c --- */

typedef struct ge_classes ge_classes;

/* Solve SOME: pages LIST[0], LIST[1] ... of the problem of C, those of class WHICH.  Scratch
   memory is the caller's frame's.  */
typedef gpueig_status ge_class_solver (gpueig_context *ctx, const ge_classes *c,
                                       int which, const void *some,
                                       const int64_t *list, gpueig_info *info);

struct ge_classes
{
  const ge_layout *layout;
  const void *problem;
  int64_t pages;
  unsigned char *class_of; /* for each page */
  ge_class_solver *solve;
  const void *data; /* for it */
};

/* Solve the pages of class WHICH, if there are any; methods are chosen by the number of all
   pages, so that a page has the same result whatever the classes of the others.  */
gpueig_status ge_solve_class (gpueig_context *ctx, const ge_classes *c,
                              int which, gpueig_info *info);

/* Solve those of class 0, then those of class 1.  INFO is that of the first of them that has
   pages, with what ID's entry says of the other.  */
gpueig_status ge_solve_classes (gpueig_context *ctx, const ge_classes *c,
                                ge_solver_id id, gpueig_info *info);

/* --- a page that takes so long that an interrupt must not wait for it, page.c ---

   JOB begins with a problem of one page whose arrays ARGUMENTS tells.  */
typedef struct
{
  size_t size, space; /* of the job; where it has a pointer to scratch memory */
  int (*arguments) (const void *problem, ge_argument argument[GE_ARGUMENTS]);
  void (*work) (void *job);
} ge_page_kind;

/* Run the work of JOB, which gets BYTES of scratch memory: detachably, with copies of JOB
   and its arrays, if the caller has a callback for interrupts.  */
gpueig_status ge_run_page (gpueig_context *ctx, const ge_page_kind *kind,
                           void *job, int64_t bytes);

/* --- pages by LAPACK's solver or one of our own, page.c --- */

typedef struct
{
  const ge_layout *layout;
  /* *BYTES of scratch memory for a page by LAPACK, with *COUNT, or by our solver on OWN
     threads.  */
  gpueig_status (*scratch) (gpueig_context *ctx, const void *problem, int own,
                            int64_t *bytes, int64_t *count);
  /* Solve ONE by LAPACK, or with TEAM by our solver; nonzero if that fails, GE_WRONG_RESULT
     if it does not notice.  Any thread may call this function.  */
  int (*call) (const void *one, const ge_team *team, void *space,
               int64_t count);
} ge_page_solvers;

enum
{
  GE_WRONG_RESULT = INT32_MAX
};

typedef struct ge_page_loop ge_page_loop;

/* The scratch memory for one page.  */
typedef struct
{
  ge_page_loop *loop;
  gpueig_context
      *ctx;     /* not NULL: with memory of its own, if need be detachably */
  char *space;  /* of the solver */
  char *more;   /* of the step */
  ge_team team; /* not with CTX */
} ge_page_place;

/* A step of the loop solves one page; *FAILED: the solver's info.  */
typedef gpueig_status ge_page_step (const ge_page_place *at, const void *one,
                                    int *failed);

struct ge_page_loop
{
  const ge_page_solvers *solvers;
  const void *problem,
      *widest; /* WIDEST: the problem with all that a step solves */
  int64_t n;
  int own; /* our solver */
  unsigned char
      *left; /* NULL, or: for each page of PROBLEM whether the solver failed */
  ge_page_step *step; /* NULL: ge_solve_page */
  int64_t step_bytes; /* ge_page_place.more */
  void *data;         /* for the step */
  int64_t detachable; /* the order from which on pages are solved one by one, */
  ge_blas_limit limit; /* with this limit */
  const int64_t *list; /* or NULL: the first pages */
  /* set by ge_solve_pages */
  ge_problem given;
  ge_team team;
  char *space, *more; /* for each thread */
  int64_t bytes, count;
};

/* Solve pages LIST[0 .. COUNT - 1], small ones on all threads, large ones one after the other;
   *FAILED: the largest info where failures are not marked.  */
gpueig_status ge_solve_pages (gpueig_context *ctx, ge_page_loop *loop,
                              int64_t count, int *failed);

/* GPUEIG_SOLVER_FAILED if *FAILED is not 0; NAME: of the iteration.  */
gpueig_status ge_solved_pages (gpueig_context *ctx, int failed,
                               const char *name);

/* ONE by the loop's solver.  */
ge_page_step ge_solve_page;

/* Divide PROBLEM for at most N devices; one share where more would not be faster.
   Scratch memory is allocated in the caller's frame.  */
gpueig_status ge_divide (gpueig_context *ctx, ge_solver_id solver,
                         ge_method method, const void *problem, int n,
                         ge_division *division);

/* Move pages, of this ORDER, of a stack from the other shares to share OWN, whose GPU has
   the data.  */
void ge_favour_share (ge_division *division, int own, int64_t order);

#endif
