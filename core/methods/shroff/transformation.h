/* The 2x2 transformation of the Jacobi-like method for general matrices.
   Shared scalar math, C and CUDA; see cuda/base/scalar.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   P. J. Eberlein, A Jacobi-like method for the automatic computation of
   eigenvalues and eigenvectors of an arbitrary matrix, J. SIAM 10 (1962);
   G. Shroff, A parallel algorithm for the eigenvalues and eigenvectors of a
   general complex matrix, Numer. Math. 58 (1990).

   A pair (p, q) is transformed by J = S R: the shear S, Hermitian positive
   definite, lowers the departure from normality, the unitary R annihilates
   a_qp.  Both have determinant 1, so the inverse of J needs no arithmetic:
   [J22, -J12; -J21, J11].  Unlike in the papers S and R are applied as one
   transformation, angles are not computed (the phase of c is c / |c|), and divisors
   are tested for zero.  */

/* Compute J = {J11, J12, J21, J22} as (re, im) pairs, part i at J[i STRIDE], from the
   pivot block app .. aqq; C, the contribution of elements outside the pivot block to
   the element (A A' - A' A)_pq of the commutator; and G, the sum of squared moduli of
   rows and columns p and q outside the pivot block.  ACTIVE is 1, or 0 for J = I.  No
   branches and no local arrays, so that compilers can vectorise it.  */
GE_ALWAYS_INLINE void
ge_shroff_pair (real_t pp_re, real_t pp_im, real_t pq_re, real_t pq_im,
                real_t qp_re, real_t qp_im, real_t qq_re, real_t qq_im,
                real_t c_re, real_t c_im, real_t g, real_t active, real_t *j,
                int64_t stride)
{
  const real_t one = 1, half = (real_t) 0.5, tiny = GE_REAL_MIN;
  real_t d_re = qq_re - pp_re, d_im = qq_im - pp_im; /* d = aqq - app */

  /* Add the pivot block's contribution to c, -conj (aqp) d + apq conj (d); the form
     with differences is accurate when the matrix is nearly diagonal.  */
  real_t cr
      = active
        * (c_re
           + ((pq_re * d_re + pq_im * d_im) - (qp_re * d_re + qp_im * d_im)));
  real_t ci
      = active
        * (c_im
           + ((pq_im * d_re - pq_re * d_im) - (qp_re * d_im - qp_im * d_re)));

  /* |xi|^2 = |conj (c) apq - c aqp|^2 / |c|^2.  */
  real_t c2 = cr * cr + ci * ci;
  real_t some = c2 > tiny ? one : 0; /* guards select, they do not branch */
  real_t unit = some / sqrt_ (c2 > tiny ? c2 : one);
  real_t er = cr * unit, ei = ci * unit;
  real_t xi_re = (er * pq_re + ei * pq_im) - (er * qp_re - ei * qp_im);
  real_t xi_im = (er * pq_im - ei * pq_re) - (er * qp_im + ei * qp_re);
  real_t den
      = 2 * (d_re * d_re + d_im * d_im + xi_re * xi_re + xi_im * xi_im) + g;

  /* tanh y = |c| / den, at most 1/2 in exact arithmetic; S = [ch, s; s', ch]
     with s = ch tanh y c / |c|.  */
  real_t th = c2 * unit / (den > 0 ? den : one);
  th = th < half ? th : half;
  real_t ch = one / sqrt_ (one - th * th);
  real_t sr = ch * th * er, si = ch * th * ei;

  /* Compute from B = S^-1 A S both off-diagonal elements and half the difference of the
     diagonal ones, delta = (bpp - bqq) / 2, again from differences.  */
  real_t ch2 = ch * ch, s2_re = sr * sr - si * si, s2_im = 2 * sr * si;
  real_t sd_re = ch * (sr * d_re - si * d_im); /* ch s d */
  real_t sd_im = ch * (sr * d_im + si * d_re);
  real_t td_re = ch * (sr * d_re + si * d_im); /* ch conj (s) d */
  real_t td_im = ch * (sr * d_im - si * d_re);
  real_t b12_re = ch2 * pq_re - sd_re - (s2_re * qp_re - s2_im * qp_im);
  real_t b12_im = ch2 * pq_im - sd_im - (s2_re * qp_im + s2_im * qp_re);
  real_t b21_re = ch2 * qp_re + td_re - (s2_re * pq_re + s2_im * pq_im);
  real_t b21_im = ch2 * qp_im + td_im - (s2_re * pq_im - s2_im * pq_re);
  real_t stretch = half * (ch2 + (sr * sr + si * si));
  real_t e_re
      = -(stretch * d_re
          + ch * ((sr * qp_re - si * qp_im) - (sr * pq_re + si * pq_im)));
  real_t e_im
      = -(stretch * d_im
          + ch * ((sr * qp_im + si * qp_re) - (sr * pq_im - si * pq_re)));

  /* Scale the largest element to about 1: squares do not overflow, and those that underflow
     are negligible.  */
  real_t big = fabs_ (b12_re) + fabs_ (b12_im) + fabs_ (b21_re) + fabs_ (b21_im)
               + fabs_ (e_re) + fabs_ (e_im);
  real_t scale = (big > tiny ? one : 0) / (big > tiny ? big : one);
  b12_re *= scale;
  b12_im *= scale;
  b21_re *= scale;
  b21_im *= scale;
  e_re *= scale;
  e_im *= scale;

  /* w = sqrt (delta^2 + b12 b21), the sign that makes |delta + w| larger.  */
  real_t z_re
      = (e_re * e_re - e_im * e_im) + (b12_re * b21_re - b12_im * b21_im);
  real_t z_im = 2 * e_re * e_im + (b12_re * b21_im + b12_im * b21_re);
  real_t z_abs = sqrt_ (z_re * z_re + z_im * z_im);
  real_t u = sqrt_ (half * (z_abs + fabs_ (z_re)));
  real_t v = half * z_im / (u > tiny ? u : one);
  real_t w_re = z_re >= 0 ? u : fabs_ (v);
  real_t w_im = z_re >= 0 ? v : copysign_ (u, z_im);
  real_t side = e_re * w_re + e_im * w_im < 0 ? -one : one;
  real_t m_re = e_re + side * w_re, m_im = e_im + side * w_im;

  /* tau = b21 / (delta + w), with |tau| limited to 1 (Shroff, section 3).  If
     delta + w is zero the block is nilpotent: rotate by 45 degrees, otherwise the
     iteration would not change a permutation matrix.  */
  real_t m_abs = sqrt_ (m_re * m_re + m_im * m_im);
  real_t b_abs = sqrt_ (b21_re * b21_re + b21_im * b21_im);
  int none = m_abs * (real_t) 1e-3 <= tiny;
  m_re = none ? one : m_re;
  m_im = none ? 0 : m_im;
  m_abs = none ? one : m_abs;
  real_t most = none ? b_abs : (m_abs > b_abs ? m_abs : b_abs);
  real_t over = active / (m_abs * (most > tiny ? most : one));
  real_t t_re = (b21_re * m_re + b21_im * m_im) * over;
  real_t t_im = (b21_im * m_re - b21_re * m_im) * over;
  real_t cs = one / sqrt_ (one + (t_re * t_re + t_im * t_im));

  /* J = S R, R = cs [1, -conj (tau); tau, 1].  */
  real_t st_re = sr * t_re - si * t_im, st_im = sr * t_im + si * t_re;
  j[0] = cs * (ch + st_re);
  j[stride] = cs * st_im;
  j[2 * stride] = cs * (sr - ch * t_re);
  j[3 * stride] = cs * (si + ch * t_im);
  j[4 * stride] = cs * (sr + ch * t_re);
  j[5 * stride] = cs * (ch * t_im - si);
  j[6 * stride] = cs * (ch - st_re);
  j[7 * stride] = cs * st_im;
}
