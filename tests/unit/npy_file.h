/* SPDX-License-Identifier: BSD-3-Clause */
/* npy_file.h - files of arrays, for tests that need some */
#ifndef TESTS_NPY_FILE_H
#define TESTS_NPY_FILE_H

#include "base/file.h"
#include "formats/npy/npy.h"

/* Make DIR/NAME an array of zeros, float64 [rows, 3]; rows is at most 100. */
static inline void npy_put (const char *dir, const char *name, uint64_t rows)
{
    static const double zeros[300] = { 0 };
    const uint64_t shape[2] = { rows, 3 };
    struct strbuf text = STRBUF_INIT;
    char *path = path_join (dir, name);

    npy_format_f64 (zeros, 2, shape, &text);
    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text.buf, text.len, NULL), 0);
    strbuf_release (&text);
    free (path);
}

#endif /* !TESTS_NPY_FILE_H */
