/* Functions compiled for several instruction sets.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CLONES_H
#define GE_CLONES_H 1

/* Clang before 18 gives such a function a name that other files do not find.  */
#if defined __x86_64__ && defined __GNUC__                                     \
    && (! defined __clang__ || __clang_major__ >= 18)
#  define GE_HAVE_CLONES 1
#else
#  define GE_HAVE_CLONES 0
#endif

/* For loops that vectorise: the dynamic loader picks the version for the processor.
   Contraction is off, so all versions give the same bits if they execute the same
   operations in the same order.  */
#if GE_HAVE_CLONES
#  define GE_CLONES                                                            \
    __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#  define GE_CLONES
#endif

/* For recurrences in double-double, which use fma (): without a hardware instruction
   each is a call of the C library.  All versions give the same bits.  */
#if GE_HAVE_CLONES
#  define GE_FMA_CLONES __attribute__ ((target_clones ("fma", "default")))
#else
#  define GE_FMA_CLONES
#endif

/* For SIMD lanes with fma (), which the target "avx2" does not include.  */
#if GE_HAVE_CLONES && ! defined __clang__ && __GNUC__ >= 12
#  define GE_WIDE_CLONES                                                       \
    __attribute__ ((                                                           \
        target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#elif GE_HAVE_CLONES
#  define GE_WIDE_CLONES                                                       \
    __attribute__ ((target_clones ("avx512f", "fma", "default")))
#else
#  define GE_WIDE_CLONES
#endif

#endif
