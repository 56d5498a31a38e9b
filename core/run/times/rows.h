/* How the tables of times are written, for the file that includes them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LINE is what the rows after it have in common: method and backend.  S, D, C and Z are
   types as in LAPACK's names, with kind, order, pages, microseconds and, of a GPU, those of
   the copies.  TIME is the includer's.  */

#define S(...) ROW (LINE, FLOAT, __VA_ARGS__)
#define D(...) ROW (LINE, DOUBLE, __VA_ARGS__)
#define C(...) ROW (LINE, COMPLEX_FLOAT, __VA_ARGS__)
#define Z(...) ROW (LINE, COMPLEX_DOUBLE, __VA_ARGS__)
#define ROW(...) ROW_OF (__VA_ARGS__)
#define ROW_OF(method, backend, ...)                                           \
  ROW_##backend (method, backend, __VA_ARGS__)
#define ROW_CPU(...) TIME (__VA_ARGS__, 0)
#define ROW_CUDA(...) TIME (__VA_ARGS__)
