/* The operations of the library that __array__ and the functions of gpu_array name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPU_OPERATIONS_H
#define GPU_OPERATIONS_H 1

#include "gpu_kept.h"

#include <vector>

namespace gpueig
{

/* A call of a function of arrays; CODE: of its entry in the table.  */
struct request
{
  const char *caller;
  int code, n_out;
  const octave_value_list &args;
};

/* Thrown, or no results, for arguments that are left to Octave's function.  */
struct of_octave
{
};

struct operation
{
  const char *name;
  int code;
  octave_value_list (*run) (const request &q);
};

/* The operation of that name, or NULL.  */
const operation *find_operation (const std::string &name);

/* The results of O; none for arguments that are left to Octave's function.  */
octave_value_list run (const operation &o, const char *caller,
                       const octave_value_list &args, int n_out);

/* --- arguments --- */

/* The first argument, an array, of at most MOST, for at most MOST_OUT results.  */
const gpu_value &first_of (const request &q, int most, int most_out = 1);

/* Argument I, a whole number, or OTHERWISE if there is none.  */
int64_t integer_at (const request &q, int i, int64_t otherwise);

/* The dimension in argument I, from 0; -1 if there is none.  */
int dimension_at (const request &q, int i);

/* The first two arguments as arrays in one place, perhaps followed by MORE others.  */
std::vector<shared_data> two_arrays (const request &q, int more);

/* A scalar of the precision of TYPE.  */
octave_value number_of (gpueig_type type, const Complex &z);

/* --- gpu_arguments.cc --- */

octave_value_list host_values_of (const octave_value_list &args);

/* The first array of floating-point numbers, or that of deferred elements.  */
shared_data place_of (const octave_value_list &args);

bool is_scalar (const octave_value &x);

/* The sizes in the arguments ARGS from number 1 on, numbers or one vector; of reshape -1 for an
   empty one.  */
RowVector sizes_of (const octave_value_list &args, bool reshapes);

/* Nonzero for (..., "like", G), G being an array.  */
bool is_like (const octave_value_list &args);

/* NAME (ARGS) in the place and of the class of LIKE, an array, or of the class that is the last of
   ARGS.  */
octave_value made_like (const std::string &name, octave_value_list args,
                        const octave_value &like);

/* The array, perhaps without elements, that says where X, an array, is.  */
shared_data place_like (const octave_value &x);

/* An array without elements like X, an array.  */
octave_value prototype_of (const octave_value &x);

/* --- gpu_reductions.cc --- */

octave_value_list reduce (const request &q), extreme (const request &q),
    test (const request &q), average (const request &q),
    scan (const request &q), median (const request &q),
    spread (const request &q), difference (const request &q),
    sort (const request &q), find (const request &q);

/* --- gpu_linear.cc --- */

octave_value_list kron (const request &q), trace (const request &q),
    norm (const request &q), dot (const request &q),
    multiply_pages (const request &q), inverse (const request &q),
    cholesky (const request &q), lu (const request &q), qr (const request &q),
    determinant (const request &q), transform (const request &q),
    transform_both (const request &q);

/* --- gpu_solvers.cc --- */

/* X in a new array in the place that the options ARGS name.  */
octave_value new_array (const std::string &caller, const octave_value &x,
                        const octave_value_list &args);

/* The results of the function NAME of the package, gpu_eig and its kin, of arrays among ARGS.  */
octave_value_list solved (const std::string &name, octave_value_list args,
                          int n_out);

/* Those of ARGS in host memory; none if that is not how NAME is called.  */
octave_value_list solved_by_gateway (const std::string &name,
                                     const octave_value_list &args, int n_out);

/* The results of Octave's function NAME of ARGS in host memory; the first COUNT of them, if they are
   numbers and more than one, become arrays in the place of the first argument that is one.  */
octave_value_list hosted (const std::string &name, double count,
                          const octave_value_list &args, int n_out);

/* --- gpu_operations.cc --- */

/* [A, B] and, along dimension 0, [A; B].  */
octave_value joined_arrays (const char *caller, int dim,
                            const octave_value_list &args);

} /* namespace */

#endif
