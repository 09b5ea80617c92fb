/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.h - the few compiler words every file may use */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define PRINTF_LIKE(fmt, first) __attribute__ ((format (printf, fmt, first)))
#define MUST_CHECK __attribute__ ((warn_unused_result))
#define ARRAY_SIZE(a) (sizeof (a) / sizeof ((a)[0]))

/* A function that is compiled twice, the faster one being taken at start-up.
 * Not under a sanitizer, which is not ready yet when that is decided.
 */
#if defined __GNUC__ && !defined __clang__ && defined __x86_64__               \
    && defined __gnu_linux__ && !defined __SANITIZE_ADDRESS__
#define FASTEST_HERE                                                           \
    __attribute__ ((target_clones ("avx2", "default"), optimize ("O3")))
#else
#define FASTEST_HERE
#endif

/* For what such a function calls in its loops: it has to be part of it. */
#define INLINED static inline __attribute__ ((always_inline))

#endif /* !BASE_COMPILER_H */
