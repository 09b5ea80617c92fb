/* SPDX-License-Identifier: BSD-3-Clause */
/* npy.h - NumPy arrays on disk: version 1.0 and 2.0, little-endian, C order */
#ifndef FORMATS_NPY_H
#define FORMATS_NPY_H

enum {
    NPY_MAX_DIMS = 8,
    NPY_HEADER_MAX_BYTES = 64 * 1024 + 12, /* numpy itself reads 10000 */
};

struct npy_header {
    char dtype[8]; /* "<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "|u1",
                      "|b1" */
    size_t item_bytes;
    int n_dims;
    uint64_t shape[NPY_MAX_DIMS];
    uint64_t n_items; /* product of shape; overflow is an error */
    size_t data_offset;
};

/* Parse the header in the first 'len' bytes of a file ('name' for messages). */
int npy_parse_header (const char *bytes, size_t len, const char *name,
                      struct npy_header *header, struct error *err);

/* Read the header of the file at 'path' and check that the file's size is
 * what the header promises.
 */
int npy_check_file (const char *path, struct npy_header *header,
                    struct error *err);

/* Append the header of a version 1.0 file of so many items of the type; 128
 * bytes for two extents or less.
 */
void npy_format_header (const char *dtype, int n_dims, const uint64_t *shape,
                        struct strbuf *out);

/* Append a complete version 1.0 file holding float64 values. */
void npy_format_f64 (const double *values, int n_dims, const uint64_t *shape,
                     struct strbuf *out);

#endif /* !FORMATS_NPY_H */
