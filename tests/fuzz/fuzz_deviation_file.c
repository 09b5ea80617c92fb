/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_deviation_file.c - a model_devi.out, as a whole and in two pieces
 *
 * The first two bytes say where it is cut.  Pieces have the rows of the whole,
 * or one of them says that it cannot know.
 */
#include "base/base.h"

#include "formats/deviations/deviation_file.h"
#include "fuzz.h"
#include "fuzz_dir.h"

enum { ROWS = 4096 };

struct found {
    int rc;
    size_t n;
    uint64_t cut;
    bool uniform;
    int64_t step[ROWS];
    double force[ROWS];
};

static void take_rows (struct found *found, const struct deviation_rows *rows)
{
    must_hold (rows->n > 0 && rows->n <= DEVIATION_ROWS_MAX, "rows");
    must_hold (!rows->atoms || rows->n == 1, "atoms of one row");
    for (size_t i = 0; i < rows->n && found->n < ROWS; i++, found->n++) {
        must_hold (rows->step[i] >= 0, "a step");
        found->step[found->n] = rows->step[i];
        found->force[found->n] = rows->value[DEVIATION_FORCE][i];
    }
}

/* Add the rows that start in [begin, end). */
static void read_piece (struct deviation_reader *reader, const char *path,
                        uint64_t begin, uint64_t end, uint64_t file_bytes,
                        struct found *found)
{
    struct error err = ERROR_INIT;
    struct deviation_rows rows;
    int rc =
        deviation_reader_open (reader, path, begin, end, file_bytes, &err) < 0
            ? -1
            : 1;

    while (rc == 1 && (rc = deviation_reader_next (reader, &rows, &err)) == 1)
        take_rows (found, &rows);
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    if (rc < 0)
        found->rc = -1;
    else
        found->uniform &= deviation_reader_is_uniform (reader);
    found->cut += deviation_reader_cut (reader);
}

static void expect_same (const struct found *a, const struct found *b)
{
    must_hold (a->rc == b->rc, "both can be read, or none");
    if (a->rc < 0)
        return;
    must_hold (a->n == b->n && a->cut == b->cut, "as many rows");
    must_hold (memcmp (a->step, b->step, a->n * sizeof (*a->step)) == 0,
               "the same steps");
    must_hold (memcmp (a->force, b->force, a->n * sizeof (*a->force)) == 0,
               "the same deviations");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    static const bool wanted[DEVIATION_QUANTITIES] = { true };
    static struct found whole, again, pieces;
    struct deviation_reader *reader;
    uint64_t bytes, cut;
    char *path;

    if (size < 2)
        return 0;
    bytes = size - 2;
    cut = (data[0] | (uint64_t)data[1] << 8) % (bytes + 1);
    fuzz_file ("f", data + 2, bytes);
    path = path_join (fuzz_dir (), "f");
    reader = deviation_reader_new (wanted, cut % 2);
    whole = again = pieces = (struct found){ .uniform = true };
    read_piece (reader, path, 0, bytes, bytes, &whole);
    read_piece (reader, path, 0, bytes, bytes, &again);
    expect_same (&whole, &again);
    read_piece (reader, path, 0, cut, bytes, &pieces);
    read_piece (reader, path, cut, bytes, bytes, &pieces);
    if (pieces.uniform && deviation_file_is_divisible (path))
        expect_same (&whole, &pieces);
    deviation_reader_free (reader);
    free (path);
    return 0;
}
