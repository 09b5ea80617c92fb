/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.h - the few compiler words every file may use */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define PRINTF_LIKE(fmt, first) __attribute__ ((format (printf, fmt, first)))
#define MUST_CHECK __attribute__ ((warn_unused_result))
#define ARRAY_SIZE(a) (sizeof (a) / sizeof ((a)[0]))

#endif /* !BASE_COMPILER_H */
