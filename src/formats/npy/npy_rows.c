/* SPDX-License-Identifier: BSD-3-Clause */
/* npy_rows.c - the rows of a NumPy array, one after the other */
#include "base/base.h"

#include <endian.h>

#include "formats/npy/npy.h"
#include "formats/npy/npy_rows.h"
#include "formats/packed/packed_file.h"

struct npy_rows {
    struct packed_file file;
    struct npy_header header;
    uint64_t n_rows;
    size_t width;
    size_t row_bytes;
    size_t kind;  /* of the items */
    uint64_t row; /* the next one */
    bool truncated;
    double *values; /* of a row that cannot be lent as it stands */
};

static void convert_f4 (const char *bytes, size_t n, double *values)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        float value;

        memcpy (&bits, bytes + i * sizeof (bits), sizeof (bits));
        bits = le32toh (bits);
        memcpy (&value, &bits, sizeof (value));
        values[i] = (double)value;
    }
}

static void convert_f8 (const char *bytes, size_t n, double *values)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;

        memcpy (&bits, bytes + i * sizeof (bits), sizeof (bits));
        bits = le64toh (bits);
        memcpy (&values[i], &bits, sizeof (bits));
    }
}

static void convert_i4 (const char *bytes, size_t n, double *values)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy (&bits, bytes + i * sizeof (bits), sizeof (bits));
        values[i] = (int32_t)le32toh (bits);
    }
}

static void convert_i8 (const char *bytes, size_t n, double *values)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;

        memcpy (&bits, bytes + i * sizeof (bits), sizeof (bits));
        values[i] = (double)(int64_t)le64toh (bits);
    }
}

/* What items may be. */
static const struct {
    const char *dtype;
    void (*convert) (const char *bytes, size_t n, double *values);
} kinds[] = {
    { "<f8", convert_f8 },
    { "<f4", convert_f4 },
    { "<i4", convert_i4 },
    { "<i8", convert_i8 },
};

/* The header, and what a row is. */
static int read_header (struct npy_rows *rows, struct error *err)
{
    struct packed_file *file = &rows->file;
    struct npy_header *header = &rows->header;
    uint64_t width = 1;

    if (packed_need (file, NPY_HEADER_MAX_BYTES, err) < 0
        || npy_parse_header (file->next, (size_t)(file->stop - file->next),
                             file->name, header, err)
               < 0)
        return -1;
    packed_take (file, header->data_offset);
    while (rows->kind < ARRAY_SIZE (kinds)
           && strcmp (header->dtype, kinds[rows->kind].dtype) != 0)
        rows->kind++;
    if (rows->kind == ARRAY_SIZE (kinds))
        return error_set (err, "%s: items of type '%s'; save the array as <f8",
                          file->name, header->dtype);
    rows->n_rows = header->n_dims > 0 ? header->shape[0] : 1;
    for (int i = 1; i < header->n_dims; i++)
        width *= header->shape[i];
    if (rows->n_rows > 0 && width == 0)
        return error_set (err, "%s: its rows have no numbers", file->name);
    if (rows->n_rows > 0 && width * header->item_bytes > PACKED_MAX_BYTES)
        return error_set (err, "%s: a row of %llu numbers is too large",
                          file->name, (unsigned long long)width);
    rows->width = rows->n_rows > 0 ? width : 0;
    rows->row_bytes = rows->width * header->item_bytes;
    return 0;
}

struct npy_rows *npy_rows_open (const char *path, struct error *err)
{
    struct npy_rows *rows = xcalloc (1, sizeof (*rows));

    rows->file = (struct packed_file)PACKED_FILE_INIT;
    if (packed_open (&rows->file, path, UINT64_MAX, err) == 0
        && read_header (rows, err) == 0) {
        rows->values = xcalloc (rows->width, sizeof (*rows->values));
        return rows;
    }
    npy_rows_close (rows);
    return NULL;
}

void npy_rows_close (struct npy_rows *rows)
{
    if (!rows)
        return;
    packed_close (&rows->file);
    free (rows->values);
    free (rows);
}

uint64_t npy_rows_count (const struct npy_rows *rows)
{
    return rows->n_rows;
}

size_t npy_rows_width (const struct npy_rows *rows)
{
    return rows->width;
}

const struct npy_header *npy_rows_header (const struct npy_rows *rows)
{
    return &rows->header;
}

/* May the row be lent where it is? */
static bool is_as_stored (const struct npy_rows *rows)
{
    return kinds[rows->kind].convert == convert_f8
           && (uintptr_t)rows->file.next % _Alignof(double) == 0
           && htole16 (1) == 1;
}

int npy_rows_next (struct npy_rows *rows, const double **values,
                   struct error *err)
{
    struct packed_file *file = &rows->file;
    int rc;

    if (rows->row >= rows->n_rows)
        return 0;
    rc = packed_need (file, rows->row_bytes, err);
    if (rc != 1) {
        rows->truncated |= rc == 0;
        return rc;
    }
    if (is_as_stored (rows)) {
        *values = (const double *)(const void *)file->next;
    } else {
        *values = rows->values;
        kinds[rows->kind].convert (file->next, rows->width, rows->values);
    }
    packed_take (file, rows->row_bytes);
    rows->row++;
    return 1;
}

int npy_rows_go_to (struct npy_rows *rows, uint64_t row, struct error *err)
{
    if (row > rows->n_rows)
        row = rows->n_rows;
    rows->row = row;
    return packed_go_to (&rows->file,
                         rows->header.data_offset + row * rows->row_bytes, err);
}

bool npy_rows_truncated (const struct npy_rows *rows)
{
    return rows->truncated;
}
