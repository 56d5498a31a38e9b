/* All steps of the QR algorithm for one page of a stack; see stack.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_STACK_PAGE_CUH
#define GE_SCHUR_STACK_PAGE_CUH 1

#include "schur/stack_form.cuh"
#include "schur/stack_iterate.cuh"
#include "schur/stack_vectors.cuh"

/* Limit for the residuals of the QR algorithm for order N, in units of eps |A|_1.  LAPACK's
   limit is 20 n.  If STRICT, one that vectors without balancing hardly exceed.  */
GE_DEVICE_INLINE int
residual_limit (int n, int strict)
{
  return (strict ? n : 10 * n) + 10;
}

/* Compute the eigenvectors from the Schur form in H and Z, in Z; H and Z are
   overwritten.  Nonzero if the vectors are accurate.  */
template <int TEAM, int LEFT, typename T>
static __device__ __noinline__ int
team_vectors (page_team<T> s, const T *a, page_facts<ge_real<T>> facts,
              int balanced, int strict, int t)
{
  typedef ge_real<T> R;
  if (! facts.hermitian)
    {
      team_solve<TEAM, LEFT> (s, t);
      team_multiply<TEAM, LEFT> (s, t);
    }
  team_normalize<TEAM, LEFT> (s, balanced, t);
  const R norm = LEFT ? facts.norm_left : facts.norm;
  return team_residual<TEAM, LEFT> (s, a, t)
         <= residual_limit (s.w.n, strict) * limits_of<R>::eps () * norm;
}

/* Compute the requested vectors of page PAGE, which is number SLOT of the launch; nonzero
   if they are accurate, see residual_limit.  */
template <int TEAM, typename T>
static __device__ int
team_all_vectors (const page_stack<T> &p, const page_team<T> &s, int64_t page,
                  int64_t slot, const page_facts<ge_real<T>> &facts,
                  int balanced, int strict, int t)
{
  typedef ge_complex<T> C;
  const int n = p.n, ld = s.w.ld;
  const T *a = p.a + page * n * n;
  C *v = p.v + (p.spare_v ? slot : page) * n * n;
  C *w = p.w + (p.spare_w ? slot : page) * n * n;
  T *z = (T *) w; /* a copy of Z until there are left vectors */
  if (p.v)
    {
      for (int e = t; p.w && e < n * n; e += TEAM)
        z[e] = s.w.v[e % n + e / n * ld];
      if (! team_vectors<TEAM, 0> (s, a, facts, balanced, strict, t))
        return 0;
      team_store<TEAM> (s, v, t);
    }
  if (p.w && p.v && facts.hermitian)
    team_store<TEAM> (s, w, t);
  else if (p.w)
    {
      for (int e = t; p.v && e < n * n; e += TEAM)
        s.w.v[e % n + e / n * ld] = z[e];
      team_sync<TEAM> ();
      if (! team_vectors<TEAM, 1> (s, a, facts, balanced, strict, t))
        return 0;
      team_store<TEAM> (s, w, t);
    }
  return 1;
}

/* Solve page number SLOT of the launch; SHARED: the team's shared memory.  A doubtful page
   (base/balancing.h) whose residuals are larger than usual is solved again without
   balancing, and with it if that is no better than the limit.  */
template <typename T, int TEAM, int OUTSIDE>
static __device__ void
team_solve_page (const page_stack<T> &p, int64_t slot, char *shared, int t)
{
  const int n = p.n;
  const int64_t page = p.list ? p.list[slot] : slot;
  const T *a = p.a + page * n * n;
  const page_team<T> s = lay_out_page<T, OUTSIDE> (p, slot, shared);
  page_facts<ge_real<T>> facts;
  int balanced = 0, doubtful = 0, good = 0, sweeps = 0;
  for (int attempt = 0; attempt < 3; attempt++)
    {
      for (int i = t; i < n; i += TEAM)
        {
          s.order[i] = i;
          s.scale[i] = 1;
        }
      team_sync<TEAM> ();
      team_load<TEAM> (s, a, t);
      if (attempt == 0)
        {
          facts = team_examine<TEAM> (s, t);
          balanced = p.balance && ! facts.hermitian && facts.unbalanced;
        }
      else
        balanced = attempt == 2;
      if (balanced)
        {
          team_balance<TEAM> (s, a, t);
          doubtful = team_is_doubtful<TEAM> (s, t);
          if (doubtful && ! (p.v && p.w))
            break;
        }
      team_hessenberg<TEAM> (s, t);
      sweeps = team_iterate<TEAM> (s, p.limit, t);
      good = sweeps <= p.limit
             && team_values<TEAM> (s, facts.hermitian, p.ordered,
                                   p.lambda + page * n, t);
      if (! good)
        break;
      if (s.w.v)
        good = team_all_vectors<TEAM> (p, s, page, slot, facts, balanced,
                                       doubtful && attempt == 0, t);
      else
        good = team_moments_agree<TEAM> (s, a, t);
      if (good || ! doubtful)
        break;
      team_sync<TEAM> ();
    }
  if (t == 0)
    {
      p.state[page] = doubtful && ! (p.v && p.w) ? GE_STACK_DOUBTFUL : ! good;
      atomicMax (p.sweeps, sweeps);
    }
}

#endif
