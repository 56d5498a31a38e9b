/* Claims: in every ordering each pair occurs exactly once in a sweep, pairs of a round
   are disjoint, and the permutation form ends at the initial positions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/round_robin.h"

#include <string.h>

enum
{
  MAX = 130
};

static int met[MAX][MAX], plays[MAX];

static void
clear (void)
{
  memset (met, 0, sizeof met);
}

/* Record the pair I, J in the current round; 0 if it is not allowed.  */
static int
note (int m, int i, int j)
{
  if (i < 0 || j < 0 || i >= m || j >= m || i == j)
    return 0;
  met[i][j]++;
  met[j][i]++;
  return plays[i]++ == 0 && plays[j]++ == 0;
}

static int
all_met_once (int m)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      if (met[i][j] != (i != j))
        return 0;
  return 1;
}

static int
formula_is_right (int m)
{
  int good = 1, i, j;
  clear ();
  for (int round = 0; round < m - 1; round++)
    {
      memset (plays, 0, sizeof plays);
      for (int k = 0; k < m / 2; k++)
        {
          ge_round_pair (m, round, k, &i, &j);
          good &= i < j && note (m, i, j);
        }
    }
  return good && all_met_once (m);
}

static int
seats_are_right (int m)
{
  int player[MAX], next[MAX], good = 1;
  clear ();
  for (int s = 0; s < m; s++)
    player[s] = s;
  for (int round = 0; round < m - 1; round++)
    {
      memset (plays, 0, sizeof plays);
      for (int k = 0; k < m / 2; k++)
        good &= note (m, player[k], player[m / 2 + k]);
      memset (next, -1, sizeof next);
      for (int s = 0; s < m; s++)
        next[ge_next_position (m, s)] = player[s];
      memcpy (player, next, sizeof player);
    }
  for (int s = 0; s < m; s++)
    good &= player[s] == s;
  return good && all_met_once (m);
}

int
main (void)
{
  check_begin ("schedule");
  for (int m = 2; m <= MAX; m += 2)
    {
      CHECK (formula_is_right (m), "round robin by formula, %d players", m);
      CHECK (seats_are_right (m), "round robin by moving, %d players", m);
    }
  return check_end ();
}
