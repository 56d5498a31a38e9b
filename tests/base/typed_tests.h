/* The typed parts of C tests, by precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TYPED_TESTS_H
#define TYPED_TESTS_H 1

void test_gemm_s (void);
void test_gemm_d (void);
void test_gemm_c (void);
void test_gemm_z (void);
void test_rotation_s (void);
void test_rotation_d (void);
void test_shroff_s (void);
void test_shroff_d (void);
void test_window_s (void);
void test_window_d (void);
void test_window_c (void);
void test_window_z (void);

#endif
