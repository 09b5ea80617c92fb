/* SPDX-License-Identifier: BSD-3-Clause */
/* test_packed_file.c - plain, gzip and zstd files are the same bytes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "base/file_copy.h"
#include "formats/lines.h"
#include "formats/packed/packed_copy.h"
#include "formats/packed/packed_file.h"
#include "temp_dir.h"

enum packing_kind { PLAIN, GZIP, ZSTD, PACKINGS };

static const char *const kind_names[] = { "plain", "gzip", "zstd" };

/* Some MB of lines, which no compressor makes nothing of. */
static void make_text (struct strbuf *text, size_t n_lines)
{
    uint32_t x = 12345;

    for (size_t i = 0; i < n_lines; i++) {
        x = x * 1664525 + 1013904223;
        strbuf_addf (text, "%zu %u\n", i, x);
    }
}

static void add_gzip (const char *bytes, size_t n, struct strbuf *out)
{
    z_stream stream = { .next_in = (z_const Bytef *)bytes,
                        .avail_in = (uInt)n };
    size_t room = n + n / 100 + 100;
    char *packed = xmalloc (room);

    assert_int_equal (
        deflateInit2 (&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
        Z_OK);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)room;
    assert_int_equal (deflate (&stream, Z_FINISH), Z_STREAM_END);
    strbuf_add (out, packed, room - stream.avail_out);
    deflateEnd (&stream);
    free (packed);
}

static void add_zstd (const char *bytes, size_t n, struct strbuf *out)
{
    size_t room = ZSTD_compressBound (n), made;
    char *packed = xmalloc (room);
    ZSTD_CCtx *context = ZSTD_createCCtx ();

    /* as the program zstd does */
    ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
    made = ZSTD_compress2 (context, packed, room, bytes, n);
    assert_false (ZSTD_isError (made));
    ZSTD_freeCCtx (context);
    strbuf_add (out, packed, made);
    free (packed);
}

static void add_packed (enum packing_kind kind, const char *bytes, size_t n,
                        struct strbuf *out)
{
    if (kind == PLAIN)
        strbuf_add (out, bytes, n);
    else
        (kind == GZIP ? add_gzip : add_zstd) (bytes, n, out);
}

static void write_bytes (const char *path, const struct strbuf *bytes)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    assert_int_equal (fwrite (bytes->buf, 1, bytes->len, file), bytes->len);
    assert_int_equal (fclose (file), 0);
}

/* All that is left of a file. */
static int read_rest (struct packed_file *file, struct strbuf *out,
                      struct error *err)
{
    int rc;

    do {
        size_t have = (size_t)(file->stop - file->next);

        strbuf_add (out, file->next, have);
        packed_take (file, have);
    } while ((rc = packed_more (file, err)) == 1);
    return rc;
}

/* A text, and the file 'f' with it in one of the packings. */
struct scene {
    struct temp_dir dir;
    struct strbuf text;
    struct strbuf packed;
};

static void begin (struct scene *scene, size_t n_lines)
{
    *scene = (struct scene){ .text = STRBUF_INIT, .packed = STRBUF_INIT };
    temp_dir_enter (&scene->dir);
    make_text (&scene->text, n_lines);
}

static void end (struct scene *scene)
{
    strbuf_release (&scene->text);
    strbuf_release (&scene->packed);
    temp_dir_leave (&scene->dir);
}

static void pack (struct scene *scene, enum packing_kind kind)
{
    strbuf_reset (&scene->packed);
    add_packed (kind, scene->text.buf, scene->text.len, &scene->packed);
    write_bytes ("f", &scene->packed);
}

/* Ordinary tools read it (0371-beside); the same bytes make the same file. */
static void test_packed_copy (void **state)
{
    static const size_t n_lines[] = { 0, 1, 40000 };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (n_lines); i++) {
        struct packed_file file = PACKED_FILE_INIT;
        struct strbuf text = STRBUF_INIT, got = STRBUF_INIT;

        make_text (&text, n_lines[i]);
        write_bytes ("plain", &text);
        assert_int_equal (packed_copy ("plain", "f.gz", NULL), 0);
        assert_int_equal (packed_copy ("plain", "g.gz", NULL), 0);
        assert_int_equal (file_compare ("f.gz", "g.gz", NULL), 1);
        assert_int_equal (packed_open (&file, "f.gz", UINT64_MAX, NULL), 0);
        assert_int_equal (packed_is_compressed (&file, NULL), 1);
        assert_int_equal (read_rest (&file, &got, NULL), 0);
        assert_int_equal (got.len, text.len);
        if (text.len > 0)
            assert_memory_equal (got.buf, text.buf, text.len);
        packed_close (&file);
        strbuf_release (&text);
        strbuf_release (&got);
    }
    assert_int_equal (packed_copy ("none", "h.gz", NULL), -1);
    assert_false (file_exists ("h.gz"));
    temp_dir_leave (&dir);
}

static void test_same_bytes (void **state)
{
    struct packed_file file = PACKED_FILE_INIT;
    struct strbuf text = STRBUF_INIT, got = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    make_text (&text, 200000);
    for (int kind = 0; kind < PACKINGS; kind++) {
        struct strbuf packed = STRBUF_INIT;

        /* written by two programs, one after the other */
        add_packed (kind, text.buf, 1000000, &packed);
        add_packed (kind, text.buf + 1000000, text.len - 1000000, &packed);
        write_bytes ("f", &packed);
        assert_int_equal (packed_open (&file, "f", UINT64_MAX, NULL), 0);
        strbuf_reset (&got);
        assert_int_equal (read_rest (&file, &got, NULL), 0);
        assert_int_equal (file.offset, text.len);
        assert_int_equal (got.len, text.len);
        assert_memory_equal (got.buf, text.buf, text.len);
        assert_int_equal (packed_is_compressed (&file, NULL), kind != PLAIN);
        assert_true ((packed_bytes (&file) == text.len) == (kind == PLAIN));
        strbuf_release (&packed);
    }
    packed_close (&file);
    packed_close (&file);
    strbuf_release (&got);
    strbuf_release (&text);
    temp_dir_leave (&dir);
}

static void test_offsets (void **state)
{
    /* forward, back, within a block, to the start, behind the end */
    static const size_t places[] = { 2000000, 1999000, 1999010, 0,
                                     7,       2500000, 1 << 30, 3 };
    struct packed_file file = PACKED_FILE_INIT;
    struct scene scene;

    (void)state;
    begin (&scene, 200000);
    for (int kind = 0; kind < PACKINGS; kind++) {
        pack (&scene, kind);
        assert_int_equal (packed_open (&file, "f", UINT64_MAX, NULL), 0);
        for (size_t i = 0; i < sizeof (places) / sizeof (places[0]); i++) {
            assert_int_equal (packed_go_to (&file, places[i], NULL), 0);
            if (places[i] > scene.text.len) {
                assert_int_equal (packed_need (&file, 1, NULL), 0);
                continue;
            }
            assert_int_equal (packed_need (&file, 5, NULL), 1);
            assert_int_equal (file.offset, places[i]);
            assert_memory_equal (file.next, scene.text.buf + places[i], 5);
        }
    }
    packed_close (&file);
    end (&scene);
}

/* Lines do not know what they are read from. */
static void test_lines (void **state)
{
    struct scene scene;

    (void)state;
    begin (&scene, 100000);
    for (int kind = 0; kind < PACKINGS; kind++) {
        struct lines lines;
        int64_t i = 0, number = 0;

        pack (&scene, kind);
        assert_int_equal (lines_open (&lines, "f", 0, NULL), 0);
        for (; lines_next (&lines, NULL) == 1; i++) {
            assert_true (lines_take_integer (&lines, &number));
            assert_int_equal (number, i);
            assert_true (lines_bytes_left (&lines)
                         >= scene.text.len - lines.file.offset);
        }
        assert_int_equal (i, 100000);
        lines_close (&lines);
    }
    end (&scene);
}

static void expect_complaint (const char *what)
{
    struct packed_file file = PACKED_FILE_INIT;
    struct strbuf got = STRBUF_INIT;
    struct error err = ERROR_INIT;

    assert_int_equal (packed_open (&file, "f", UINT64_MAX, &err), 0);
    assert_int_equal (read_rest (&file, &got, &err), -1);
    if (!strstr (err.text, what) || strncmp (err.text, "f: at byte ", 11) != 0)
        fail_msg ("'%s', expected '%s'", err.text, what);
    packed_close (&file);
    strbuf_release (&got);
}

static void test_damage (void **state)
{
    struct scene scene;

    (void)state;
    begin (&scene, 50000);
    for (int kind = GZIP; kind < PACKINGS; kind++) {
        struct strbuf *packed = &scene.packed;
        size_t len;
        char what[100];

        pack (&scene, kind);
        len = packed->len;
        snprintf (what, sizeof (what), "the %s data is damaged: it ends",
                  kind_names[kind]);
        packed->len = len / 2; /* cut short */
        write_bytes ("f", packed);
        expect_complaint (what);
        packed->len = 10; /* or even within the header */
        write_bytes ("f", packed);
        expect_complaint (what);
        packed->len = len;
        memset (packed->buf + len / 2, 0x55, 64); /* or overwritten */
        write_bytes ("f", packed);
        snprintf (what, sizeof (what),
                  "the %s data is damaged: ", kind_names[kind]);
        expect_complaint (what);
    }
    end (&scene);
}

/* Nothing, and less than what tells. */
static void test_short_files (void **state)
{
    static const char *const texts[] = { "", "a", "\x1f", "abc" };
    struct packed_file file = PACKED_FILE_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < sizeof (texts) / sizeof (texts[0]); i++) {
        struct strbuf got = STRBUF_INIT;

        write_text ("f", texts[i]);
        assert_int_equal (packed_open (&file, "f", UINT64_MAX, NULL), 0);
        assert_int_equal (read_rest (&file, &got, NULL), 0);
        assert_string_equal (got.len > 0 ? got.buf : "", texts[i]);
        strbuf_release (&got);
    }
    assert_int_equal (packed_open (&file, "absent", UINT64_MAX, NULL), -1);
    assert_int_equal (errno, ENOENT);
    packed_close (&file);
    temp_dir_leave (&dir);
}

/* What stands behind the limit was written later. */
static void test_limit (void **state)
{
    struct packed_file file = PACKED_FILE_INIT;
    struct strbuf got = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", "one\ntwo\n");
    assert_int_equal (packed_open (&file, "f", 4, NULL), 0);
    assert_int_equal (read_rest (&file, &got, NULL), 0);
    assert_string_equal (got.buf, "one\n");
    assert_int_equal (packed_go_to (&file, 6, NULL), 0);
    assert_int_equal (packed_need (&file, 1, NULL), 0);
    packed_close (&file);
    strbuf_release (&got);
    temp_dir_leave (&dir);
}

/* Beyond what 32 bits count, in a file with a hole. */
static void test_large_file (void **state)
{
    const uint64_t place = 5000000000;
    struct packed_file file = PACKED_FILE_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("f", "start");
    assert_int_equal (truncate ("f", (off_t)place), 0);
    assert_int_equal (packed_open (&file, "f", UINT64_MAX, NULL), 0);
    assert_int_equal (packed_go_to (&file, place - 3, NULL), 0);
    assert_int_equal (packed_need (&file, 3, NULL), 1);
    assert_int_equal (packed_need (&file, 4, NULL), 0);
    packed_take (&file, 3);
    assert_true (file.offset == place);
    assert_true (packed_bytes (&file) == place);
    packed_close (&file);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_same_bytes),
        cmocka_unit_test (test_offsets),
        cmocka_unit_test (test_lines),
        cmocka_unit_test (test_damage),
        cmocka_unit_test (test_short_files),
        cmocka_unit_test (test_limit),
        cmocka_unit_test (test_large_file),
        cmocka_unit_test (test_packed_copy),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
