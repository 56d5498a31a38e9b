/* Triangular matrices with eigenvalues of very different moduli.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Powers are squared repeatedly, and where a product of elements above the diagonal is much
   larger than the result, for which it is enough that eigenvalues differ much, the squares
   cancel.  T = S D S^-1, S unit upper triangular, where D couples eigenvalues of a group only;
   the largest group is separated first, so that divisors are as large as they can be
   (P. I. Davies, N. J. Higham, A Schur-Parlett algorithm for computing matrix functions, SIAM
   J. Matrix Anal. Appl. 25, 2003, but in the order of the moduli).  */

#include "base/products.h"
#include "functions/functions.h"

#include <complex.h>
#include <string.h>

/* A group ends at the largest gap within this factor of its largest eigenvalue, unless all others
   are within it or there is no gap of LEAST_GAP.  */
#define GROUP_RANGE GE_GROUP_RANGE (GE_DOUBLE)
#define LEAST_GAP 1.25

/* The largest modulus of an eigenvalue that is below LIMIT, but not zero.  */
static real_t
largest_below (int64_t n, const scalar_t *t, real_t limit)
{
  real_t most = 0;
  for (int64_t k = 0; k < n; k++)
    {
      const real_t value = abs_ (t[k * (n + 1)]);
      most = value < limit ? fmax_ (most, value) : most;
    }
  return most;
}

/* The least modulus of the group of which MOST is the largest; zero if it has all that are
   left.  */
static real_t
end_of_group (int64_t n, const scalar_t *t, real_t most)
{
  real_t value = most, best = 0;
  double gap = LEAST_GAP;
  for (;;)
    {
      const real_t next = largest_below (n, t, value);
      if (next == 0)
        return value < most / GROUP_RANGE ? best : 0;
      if ((double) value >= gap * (double) next)
        {
          gap = (double) value / (double) next;
          best = value;
        }
      if (next < most / GROUP_RANGE && best > 0)
        return best;
      value = next;
    }
}

/* GROUP: of each eigenvalue, from 0 on in the order of their moduli; zeros belong to the last one.
   Returns their number.  */
static int64_t
find_groups (int64_t n, const scalar_t *t, int64_t *group)
{
  int64_t groups = 0;
  real_t most = largest_below (n, t, (real_t) INFINITY), least;
  for (int64_t k = 0; k < n; k++)
    group[k] = -1;
  do
    {
      least = most > 0 ? end_of_group (n, t, most) : 0;
      for (int64_t k = 0; k < n; k++)
        if (group[k] < 0 && abs_ (t[k * (n + 1)]) >= least)
          group[k] = groups;
      groups++;
      most = largest_below (n, t, least);
    }
  while (least > 0);
  return groups;
}

/* Nonzero if elements (I, J) belong to S where group G is separated from those after it, zero if
   they belong to D.  */
static int
is_across (const int64_t *group, int64_t g, int64_t i, int64_t j)
{
  return (group[i] == g) != (group[j] == g);
}

/* T S = S D of the rows and columns of groups from G on: T becomes D, with S where D is zero.
   GIVEN: n-by-n.  */
static void
separate (int64_t n, const int64_t *group, int64_t g, scalar_t *t,
          scalar_t *given)
{
  memcpy (given, t, (size_t) (n * n) * sizeof *t);
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = j; group[j] >= g && k-- > 0;)
      {
        scalar_t *x = t + j * n;
        const int across = is_across (group, g, k, j);
        if (group[k] < g || x[k] == 0)
          continue;
        if (across)
          x[k] /= x[j] - t[k * (n + 1)];
        for (int64_t i = 0; i < k; i++)
          if (group[i] >= g && across)
            x[i] += mul_ (given[i + k * n], x[k]);
          else if (group[i] >= g && is_across (group, g, i, k))
            x[i] -= mul_ (t[i + k * n], x[k]);
      }
}

/* X S = S F, the reverse: T, F with S where F is zero, becomes X.  */
static void
unite (int64_t n, const int64_t *group, int64_t g, scalar_t *t, scalar_t *given)
{
  memcpy (given, t, (size_t) (n * n) * sizeof *t);
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *old = given + j * n;
      scalar_t *x = t + j * n;
      if (group[j] < g)
        continue;
      for (int64_t i = 0; i < j; i++)
        if (group[i] >= g && is_across (group, g, i, j))
          x[i] = mul_ (old[i], old[j] - given[i * (n + 1)]);
      for (int64_t k = 0; k < j; k++)
        for (int64_t i = 0; group[k] >= g && old[k] != 0 && i < k; i++)
          if (group[i] >= g && is_across (group, g, k, j))
            x[i] -= mul_ (t[i + k * n], old[k]);
          else if (group[i] >= g && is_across (group, g, i, k))
            x[i] += mul_ (given[i + k * n], old[k]);
    }
}

int64_t
FN (ge_funm_separate) (int64_t n, void *t, int64_t *group, void *space)
{
  const int64_t groups = find_groups (n, t, group);
  for (int64_t g = 0; g + 1 < groups; g++)
    separate (n, group, g, t, space);
  return groups;
}

void
FN (ge_funm_unite) (int64_t n, int64_t groups, const int64_t *group, void *t,
                    void *space)
{
  for (int64_t g = groups - 1; g-- > 0;)
    unite (n, group, g, t, space);
}

int64_t
FN (ge_funm_take_group) (int64_t n, const int64_t *group, int64_t g,
                         const void *t, void *part)
{
  const scalar_t *from = t;
  scalar_t *to = part;
  int64_t size = 0;
  for (int64_t j = 0; j < n; j++)
    size += group[j] == g;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; group[j] == g && i < n; i++)
      if (group[i] == g)
        *to++ = from[i + j * n];
  return size;
}

void
FN (ge_funm_put_group) (int64_t n, const int64_t *group, int64_t g,
                        const void *part, void *t)
{
  const scalar_t *from = part;
  scalar_t *to = t;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; group[j] == g && i < n; i++)
      if (group[i] == g)
        to[i + j * n] = *from++;
}
