## The names of the functions of gpueig that take a matrix, in a cell row.
##   public_functions ()             all
##   public_functions ("symmetric")  eigenvalues of symmetric matrices
##   public_functions ("general")    eigenvalues of all square matrices, among them these
##   public_functions ("eigenvalues")  both
##   public_functions ("pair")       of pairs (A, B)
##   public_functions ("matrix")     functions of matrices
## SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

function names = public_functions (kind = "")
  switch (kind)
    case "pair"
      names = {"gpu_eig", "gpu_jacobi_eig"};
    case "general"
      names = {"gpu_eig", "gpu_complex_eig"};
    case "symmetric"
      names = {"gpu_eig", "gpu_jacobi_eig", "gpu_onesided_eig", "gpu_mrrr"};
    case "eigenvalues"
      names = [public_functions("symmetric"), {"gpu_complex_eig"}];
    case "matrix"
      names = {"gpu_sqrtm", "gpu_logm", "gpu_expm", "gpu_mpower"};
    otherwise
      files = glob (fullfile (fileparts (which ("gpu_info")), "gpu_*.m"));
      [~, names] = cellfun (@fileparts, files, "UniformOutput", false);
      names = setdiff (names, {"gpu_info", "gpu_eig_file", "gpu_array", "gpu_eigs", "gpu_svds", "gpu_roots", ...
                               "gpu_expmv", "gpu_condeig", "gpu_polyeig", "gpu_replace", "gpu_tune"})(:).';
  endswitch
endfunction
