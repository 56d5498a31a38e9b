/* The kernel for stacks of general pages and its launch; included once for real and
   once for complex types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_STACK_LAUNCH_CUH
#define GE_SCHUR_STACK_LAUNCH_CUH 1

#include "schur/stack_page.cuh"

template <typename T, int TEAM, int OUTSIDE>
GE_KERNEL (TEAM, TEAM <= 64 ? 512 / TEAM : 1)
solve_pages (page_stack<T> p)
{
  extern __shared__ double2 memory[];
  team_solve_page<T, TEAM, OUTSIDE> (p, blockIdx.x, (char *) memory,
                                     threadIdx.x);
}

template <typename T, int TEAM, int OUTSIDE>
static gpueig_status
launch_team (gpueig_context *ctx, const page_stack<T> &p)
{
  const int squares = (OUTSIDE < 2) + (OUTSIDE < 1 && (p.v || p.w));
  const size_t bytes = page_bytes<T> (p.n, squares);
  void (*kernel) (page_stack<T>) = solve_pages<T, TEAM, OUTSIDE>;
  GE_ALLOW_SHARED (kernel, bytes);
  GE_LAUNCH_AS ("solve_pages", kernel, (unsigned) p.count, TEAM, bytes, p);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_launch_pages (gpueig_context *ctx, const page_stack<T> &p, int team,
                 int outside)
{
  constexpr int small = sizeof (T) < GE_OUTSIDE_SIZE;
  static_assert (page_bytes<T> (32, 2) <= GE_LEAST_SHARED
                     && page_bytes<T> (64, small ? 2 : 1) <= GE_LEAST_SHARED
                     && (! small || page_bytes<T> (128, 1) <= GE_LEAST_SHARED),
                 "pages that are not outside fit in shared memory");
  if (team <= 32)
    return launch_team<T, 32, 0> (ctx, p);
  if constexpr (small)
    return team <= 64 ? launch_team<T, 64, 0> (ctx, p)
           : outside  ? launch_team<T, 128, 1> (ctx, p)
                      : launch_team<T, 128, 0> (ctx, p);
  else
    return outside > 1 ? launch_team<T, 128, 2> (ctx, p)
           : team > 64 ? launch_team<T, 128, 1> (ctx, p)
           : outside   ? launch_team<T, 64, 1> (ctx, p)
                       : launch_team<T, 64, 0> (ctx, p);
}

#endif
