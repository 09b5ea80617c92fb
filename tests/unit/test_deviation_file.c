/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deviation_file.c - model_devi.out in every form, whole and spoilt */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "formats/deviations/deviation_file.h"
#include "temp_dir.h"

#define LAMMPS                                                                 \
    "#       step         max_devi_v         min_devi_v         avg_devi_v"    \
    "         max_devi_f         min_devi_f         avg_devi_f"
#define ROW(step, v, f)                                                        \
    step "       " v "       1.000000e-03       2.000000e-03       " f         \
         "       3.000000e-03       4.000000e-03"
#define ATOMIC LAMMPS "       atm_devi_f(N)\n"
#define ATOMS2 "       5.000000e-01       6.000000e-01"
#define S0 "           0"
#define S10 "          10"
#define S20 "          20"

enum { ROWS_MAX = 4096 };

/* All rows of a file. */
struct table {
    int rc;
    size_t n;
    int64_t section[ROWS_MAX];
    int64_t step[ROWS_MAX];
    double force[ROWS_MAX];
    double virial[ROWS_MAX];
    double energy[ROWS_MAX];
    double distance[ROWS_MAX];
    uint64_t cut;
    bool uniform; /* all shares */
    struct error err;
};

static const bool force_only[DEVIATION_QUANTITIES] = { true };

static void add_rows (struct table *table, const struct deviation_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = table->n++;

        assert_true (at < ROWS_MAX);
        table->section[at] = rows->section;
        table->step[at] = rows->step[i];
        table->force[at] = rows->value[DEVIATION_FORCE][i];
        table->virial[at] = rows->value[DEVIATION_VIRIAL][i];
        table->energy[at] = rows->value[DEVIATION_ENERGY][i];
        table->distance[at] = rows->value[DEVIATION_DISTANCE][i];
    }
}

/* The rows that start in [begin, end). */
static void read_share (const char *path, const bool *wanted, uint64_t begin,
                        uint64_t end, uint64_t file_bytes, struct table *table)
{
    struct deviation_reader *reader = deviation_reader_new (wanted, false);
    struct deviation_rows rows;

    table->err.text[0] = '\0';
    table->rc = deviation_reader_open (reader, path, begin, end, file_bytes,
                                       &table->err);
    while (table->rc == 0
           && (table->rc = deviation_reader_next (reader, &rows, &table->err))
                  == 1) {
        add_rows (table, &rows);
        table->rc = 0;
    }
    table->cut += deviation_reader_cut (reader);
    table->uniform &= deviation_reader_is_uniform (reader);
    deviation_reader_free (reader);
}

static void read_file (const char *path, const bool *wanted,
                       struct table *table)
{
    uint64_t bytes = 0;

    *table = (struct table){ .uniform = true };
    assert_int_equal (file_tree_bytes (path, &bytes, NULL), 0);
    read_share (path, wanted, 0, bytes, bytes, table);
}

static void read_text (const char *text, const bool *wanted,
                       struct table *table)
{
    struct temp_dir dir;

    temp_dir_enter (&dir);
    write_text ("d", text);
    read_file ("d", wanted, table);
    temp_dir_leave (&dir);
}

/* --- forms --- */

static const struct {
    const char *text;
    bool wanted[DEVIATION_QUANTITIES];
    size_t n;
    double force, virial, energy, distance; /* of the last row */
} forms[] = {
    { LAMMPS "\n" ROW (S0, "1.767406e-02", "1.744407e-01") "\n",
      { true, true },
      1,
      0.1744407,
      0.01767406,
      NAN,
      NAN },
    /* atoms behind the named columns, fewer and more in other sections */
    { ATOMIC ROW (S0, "1.767406e-02", "1.744407e-01") ATOMS2
      "\n" ATOMIC ROW (S10, "1.767406e-02", "2.744407e-01") "\n" ATOMIC ROW (
          S20, "1.767406e-02", "3.744407e-01") ATOMS2 ATOMS2 "\n",
      { true },
      3,
      0.3744407,
      0.01767406,
      NAN,
      NAN },
    /* no header: a run continued without one */
    { ROW (S0, "1.767406e-02", "1.744407e-01") "\n" ROW (S10, "1.767406e-02",
                                                         "1.844407e-01") "\n",
      { true, true },
      2,
      0.1844407,
      0.01767406,
      NAN,
      NAN },
    /* deepspin: v, fr, fm */
    { "#       step         max_devi_v         min_devi_v         "
      "avg_devi_v"
      "        max_devi_fr        min_devi_fr        avg_devi_fr"
      "        max_devi_fm        min_devi_fm        avg_devi_fm\n" ROW (
          S0, "1.000000e-02",
          "2.000000e-01") "       7.000000e-01       8.000000e-01       "
                          "9.000000e-01\n",
      { true, true },
      1,
      0.2,
      0.01,
      NAN,
      NAN },
    /* CALYPSO: the smallest distance behind */
    { "#       step         max_devi_v         min_devi_v         "
      "avg_devi_v"
      "         max_devi_f         min_devi_f         avg_devi_f"
      "         min_dis\n" ROW (S0, "1.000000e-02",
                                "2.000000e-01") "       1.250000e+00\n",
      { true, false, false, true },
      1,
      0.2,
      0.01,
      NAN,
      1.25 },
    /* old: energies, tabs, other digits */
    { "# step\tmax_devi_e\tmin_devi_e\tavg_devi_e\tmax_devi_f\tmin_devi_f"
      "\tavg_devi_f\n0\t1e-3\t0\t.5\t0.25\t0.1\t0.2\n",
      { true, false, true },
      1,
      0.25,
      NAN,
      0.001,
      NAN },
    /* line breaks of another world */
    { LAMMPS "\r\n" ROW (S0, "1.000000e-02", "2.000000e-01") "\r\n" ROW (
          S10, "1.000000e-02", "3.000000e-01") "\r\n",
      { true },
      2,
      0.3,
      0.01,
      NAN,
      NAN },
    /* blanks, and comments with blanks before them */
    { "  \n\n # from a run\n\t\r\n  " LAMMPS
      "\n" ROW (S0, "1.000000e-02", "2.000000e-01") "\n",
      { true },
      1,
      0.2,
      0.01,
      NAN,
      NAN },
    /* a header in the middle, with other columns */
    { LAMMPS "\n" ROW (S0, "1.000000e-02",
                       "2.000000e-01") "\n"
                                       "# step max_devi_f\n10 0.5\n",
      { true },
      2,
      0.5,
      NAN,
      NAN,
      NAN },
};

static void test_forms (void **state)
{

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (forms); i++) {
        static struct table table;
        size_t last = forms[i].n - 1;

        read_text (forms[i].text, forms[i].wanted, &table);
        if (table.rc != 0 || table.n != forms[i].n || table.cut != 0)
            fail_msg ("case %zu: %zu rows, %s", i, table.n, table.err.text);
        assert_true (table.force[last] == forms[i].force);
        assert_true (isnan (forms[i].virial)
                     || table.virial[0] == forms[i].virial);
        assert_true (isnan (forms[i].energy)
                     || table.energy[last] == forms[i].energy);
        assert_true (isnan (forms[i].distance)
                     || table.distance[last] == forms[i].distance);
    }
}

/* Real files of DeePMD-kit, read again with scanf. */
static void compare_with_scanf (const char *name, int columns)
{
    char *path = fixture_path (name);
    static const bool wanted[DEVIATION_QUANTITIES] = { true, true };
    static struct table table;
    char line[1 << 16];
    FILE *file = fopen (path, "r");
    size_t n = 0;

    assert_non_null (file);
    read_file (path, wanted, &table);
    assert_int_equal (table.rc, 0);
    while (fgets (line, sizeof (line), file)) {
        long long step;
        double v, f, unused;

        if (line[0] == '#')
            continue;
        assert_int_equal (sscanf (line, "%lld %lf %lf %lf %lf", &step, &v,
                                  &unused, &unused, &f),
                          5);
        assert_int_equal (table.step[n], step);
        assert_true (table.virial[n] == v);
        assert_true (table.force[n] == f);
        n++;
    }
    fclose (file);
    free (path);
    assert_int_equal (table.n, n);
    assert_true (columns == 7 || table.energy[0] > 0);
}

static void test_real_files (void **state)
{
    (void)state;
    compare_with_scanf ("deepmd/lammps.model_devi.out", 7);
    compare_with_scanf ("deepmd/dp.model_devi.out", 8);
    compare_with_scanf ("deepmd/dp_atomic.model_devi.out", 8);
}

/* Many systems in one file: each is a section, named or not. */
static void test_sections (void **state)
{
    static const char header[] = "# step max_devi_v min_devi_v avg_devi_v "
                                 "max_devi_f min_devi_f avg_devi_f devi_e\n";
    static const int64_t sections[] = { 0, 0, 1, 2 };
    struct strbuf text = STRBUF_INIT;
    struct temp_dir dir;
    static struct table table;

    (void)state;
    strbuf_addf (&text, "# sys/a\n%s%s       1.000000e-04\n%s       1e-4\n",
                 header, ROW (S0, "1.000000e-02", "2.000000e-01"),
                 ROW (S10, "1.000000e-02", "2.000000e-01"));
    strbuf_addf (&text, "# sys/b\n%s%s       1.000000e-04\n", header,
                 ROW (S0, "1.000000e-02", "3.000000e-01"));
    strbuf_addf (&text, "# sys/c\n%s%s       1.000000e-04\n", header,
                 ROW (S0, "1.000000e-02", "4.000000e-01"));
    read_text (text.buf, force_only, &table);
    assert_int_equal (table.n, 4);
    assert_memory_equal (table.section, sections, sizeof (sections));
    assert_true (table.force[3] == 0.4);
    temp_dir_enter (&dir);
    write_text ("many", text.buf);
    write_text ("one", LAMMPS "\n");
    assert_false (deviation_file_is_divisible ("many"));
    assert_true (deviation_file_is_divisible ("one"));
    assert_false (deviation_file_is_divisible ("none"));
    temp_dir_leave (&dir);
    strbuf_release (&text);
}

/* --- what goes wrong --- */

#define GOOD ROW (S10, "1.000000e-02", "2.000000e-01") "\n"
#define GOOD2 ROW (S10, "1.000000e-02", "2.000000e-01") ATOMS2 "\n"

static const struct {
    const char *text;
    size_t n;
    uint64_t cut;
    double last; /* deviation; NaN: invalid */
} hazards[] = {
    { "", 0, 0, 0 },
    { LAMMPS "\n", 0, 0, 0 },
    { LAMMPS, 0, 1, 0 },
    /* a last row that was cut, in the middle of a number or before its
     * line break */
    { LAMMPS "\n" GOOD "          20       1.0000", 1, 1, 0.2 },
    { LAMMPS "\n" GOOD ROW (S20, "1.000000e-02", "3.000000e-01"), 1, 1, 0.2 },
    /* cut, and continued by the next run */
    { LAMMPS "\n" GOOD "          20       1.0000" GOOD GOOD, 2, 1, 0.2 },
    { LAMMPS "\n" GOOD "\n\n" GOOD, 2, 0, 0.2 },
    { LAMMPS "\n" GOOD "garbage\n" GOOD, 2, 1, 0.2 },
    { LAMMPS "\n" GOOD "1.5 1 1 1 1 1 1\n-3 1 1 1 1 1 1\n", 1, 2, 0.2 },
    /* not finite: the largest, or only the average or the minimum */
    { LAMMPS "\n" GOOD ROW (S20, "1.000000e-02", "        -nan") "\n", 2, 0,
      NAN },
    { LAMMPS "\n" GOOD ROW (S20, "1.000000e-02", "         inf") "\n", 2, 0,
      INFINITY },
    { LAMMPS "\n20 1 1 1 0.5 0.1 nan\n", 1, 0, NAN },
    { LAMMPS "\n20 1 1 1 0.5 -inf 0.1\n", 1, 0, NAN },
    { LAMMPS "\r\n20 1 1 1 0.5 0.1 nan\r\n", 1, 0, NAN },
    /* a minimum above its maximum: DeePMD-kit without atoms; others */
    { LAMMPS "\n" GOOD
             "          20       0.000000e+00       0.000000e+00       "
             "0.000000e+00       0.000000e+00      1.797693e+308       "
             "0.000000e+00\n",
      2, 0, NAN },
    { LAMMPS "\n" GOOD
             "          20       1.000000e-02       1.000000e-03       "
             "5.000000e-03       1.000000e-01       1.000001e-01       "
             "1.000000e-01\n",
      2, 0, NAN },
    { LAMMPS "\n" GOOD
             "          20       1.000000e-02       1.000000e-03       "
             "5.000000e-03       1.000000e-01       1.000000e-01       "
             "1.000000e-01\n",
      2, 0, 0.1 },
    /* the virial is nobody's business here */
    { LAMMPS "\n20 nan 1 1 0.5 0.1 0.1\n", 1, 0, 0.5 },
    /* a NUL, and a comma that looks almost like a sign */
    { LAMMPS "\n" GOOD ROW (S20, "1.000000e-02", "2.000000e,01") "\n", 1, 1,
      0.2 },
    /* cut behind a whole number and continued on the same line: with atoms the
     * rows beside it tell, also when it comes first
     */
    { ATOMIC GOOD2 "          20       1.000000e-02" GOOD2 GOOD2, 2, 1, 0.2 },
    { ATOMIC ROW (S0, "1.000000e-02", "3.000000e-01") GOOD2 GOOD2 GOOD2, 2, 1,
      0.2 },
    { ATOMIC GOOD2 GOOD GOOD2, 2, 1, 0.2 },
    { ROW (S0, "1.000000e-02", "2.000000e-01") GOOD GOOD GOOD, 2, 1, 0.2 },
    { GOOD ROW (S20, "1.000000e-02", "3.000000e-01") GOOD, 1, 1, 0.2 },
    { ATOMIC GOOD2 ATOMIC "          20       1.0000\n" GOOD GOOD, 3, 1, 0.2 },
    /* blanks are nothing */
    { LAMMPS "\n  \n" GOOD "   \n\r\n" GOOD, 2, 0, 0.2 },
    /* steps: 64 bits, wider than their column, spoilt */
    { LAMMPS
      "\n" GOOD ROW ("  9007199254740993", "1.000000e-02", "3.000000e-01") "\n",
      2, 0, 0.3 },
    { LAMMPS
      "\n" GOOD ROW ("        1 20", "1.000000e-02", "3.000000e-01") "\n",
      1, 1, 0.2 },
    { LAMMPS
      "\n" GOOD ROW ("        1-20", "1.000000e-02", "3.000000e-01") "\n",
      1, 1, 0.2 },
    { LAMMPS "\n" GOOD ROW ("99999999999999999999", "1.000000e-02",
                            "3.000000e-01") "\n",
      1, 1, 0.2 },
    /* more columns than names, and no word of atoms */
    { LAMMPS "\n" GOOD ROW (S20, "1.000000e-02", "3.000000e-01") ATOMS2 "\n", 1,
      1, 0.2 },
};

static void test_hazards (void **state)
{

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (hazards); i++) {
        static struct table table;
        double last;

        read_text (hazards[i].text, force_only, &table);
        if (table.rc != 0 || table.n != hazards[i].n
            || table.cut != hazards[i].cut)
            fail_msg ("case %zu: %zu rows, %llu cut, %s", i, table.n,
                      (unsigned long long)table.cut, table.err.text);
        last = table.n > 0 ? table.force[table.n - 1] : 0;
        if (isnan (hazards[i].last) ? !isnan (last) : last != hazards[i].last)
            fail_msg ("case %zu: %g", i, last);
    }
}

static void test_refusals (void **state)
{
    static const struct {
        const char *text;
        bool wanted[DEVIATION_QUANTITIES];
        const char *message;
    } cases[] = {
        { "{}\n", { true }, "d: at byte 0: expected a step and the columns" },
        { LAMMPS "\nITEM: TIMESTEP\n", { true }, "d: at byte 127: expected a" },
        { "# step max_devi_v\n0 1\n",
          { true },
          "d: at byte 0: no column max_devi_f" },
        { LAMMPS "\n", { true, false, true }, "no column devi_e, which there" },
        { "0 1 1 1 1 1 1\n",
          { true, false, false, true },
          "no column min_dis" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        static struct table table;

        read_text (cases[i].text, cases[i].wanted, &table);
        assert_int_equal (table.rc, -1);
        if (!strstr (table.err.text, cases[i].message))
            fail_msg ("'%s' lacks '%s'", table.err.text, cases[i].message);
    }
}

static void test_no_such_file (void **state)
{
    static struct table table;

    (void)state;
    table = (struct table){ .uniform = true };
    errno = 0;
    read_share ("/nowhere/d", force_only, 0, 0, 0, &table);
    assert_int_equal (table.rc, -1);
    assert_int_equal (errno, ENOENT);
}

/* --- shares --- */

/* Rows with two atoms, some read word by word. */
static void write_many (const char *path, size_t n)
{
    FILE *file = fopen (path, "w");

    assert_non_null (file);
    fprintf (file, ATOMIC);
    for (size_t i = 0; i < n; i++) {
        fprintf (file, "%12zu", 10 * i);
        for (size_t j = 0; j < 8; j++)
            fprintf (file, " %18.6e",
                     i % 7 == 0 ? NAN : 0.001 * (double)(i + j));
        fprintf (file, i % 11 == 0 ? "\r\n" : "\n");
    }
    fclose (file);
}

static void expect_same (const struct table *a, const struct table *b)
{
    assert_int_equal (a->n, b->n);
    assert_memory_equal (a->step, b->step, a->n * sizeof (*a->step));
    assert_memory_equal (a->force, b->force, a->n * sizeof (*a->force));
    assert_int_equal (a->cut, b->cut);
}

/* Wherever a file is cut, its shares have all rows once. */
static void test_shares (void **state)
{
    static struct table whole, shared;
    uint64_t bytes = 0;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_many ("d", 40);
    read_file ("d", force_only, &whole);
    assert_int_equal (whole.n, 40);
    file_tree_bytes ("d", &bytes, NULL);
    for (uint64_t cut = 0; cut <= bytes; cut++) {
        shared = (struct table){ .uniform = true };
        read_share ("d", force_only, 0, cut, bytes, &shared);
        assert_int_equal (shared.rc, 0);
        read_share ("d", force_only, cut, bytes, bytes, &shared);
        assert_int_equal (shared.rc, 0);
        expect_same (&whole, &shared);
    }
    temp_dir_leave (&dir);
}

/* Where a file's columns change, one of its shares notices; where none does,
 * the shares have all rows.
 */
static void test_changes (void **state)
{
    static const struct {
        const char *below; /* the first rows */
        bool uniform;
    } cases[] = {
        { LAMMPS "\n" GOOD, true },
        { LAMMPS "       devi_e\n10 1 1 1 0.5 0.5 0.5 0.1\n", false },
        { "# step max_devi_f avg_devi_f min_devi_f max_devi_v min_devi_v "
          "avg_devi_v\n" GOOD,
          false },
        { "# sys/b\n" GOOD, false },
        { ATOMIC GOOD2, false },
    };
    static struct table whole, shared;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;

        strbuf_addf (&text, "%s\n%s%s%s%s", LAMMPS, GOOD, GOOD, cases[i].below,
                     GOOD);
        write_text ("d", text.buf);
        assert_true (deviation_file_is_divisible ("d"));
        read_file ("d", force_only, &whole);
        assert_int_equal (whole.rc, 0);
        for (uint64_t cut = 0; cut <= text.len; cut++) {
            shared = (struct table){ .uniform = true };
            read_share ("d", force_only, 0, cut, text.len, &shared);
            read_share ("d", force_only, cut, text.len, text.len, &shared);
            assert_int_equal (shared.rc, 0);
            assert_int_equal (shared.uniform, cases[i].uniform);
            if (shared.uniform)
                expect_same (&whole, &shared);
        }
        strbuf_release (&text);
    }
    temp_dir_leave (&dir);
}

/* A row that was cut does not make a file that is read behind another one
 * worthless: the rows before it count, whichever way they were read.
 */
static void test_next_file (void **state)
{
    struct deviation_reader *reader = deviation_reader_new (force_only, false);
    static const char *const order[] = { "a", "b", "a", "b" };
    struct deviation_rows rows;
    struct error err = ERROR_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("a", LAMMPS "\n" GOOD GOOD GOOD GOOD);
    write_text ("b", LAMMPS "\n" GOOD GOOD "          20       1.0000\n" GOOD);
    for (size_t i = 0; i < ARRAY_SIZE (order); i++) {
        size_t n = 0;

        assert_int_equal (deviation_reader_open (reader, order[i], 0,
                                                 UINT64_MAX, UINT64_MAX, &err),
                          0);
        while (deviation_reader_next (reader, &rows, &err) == 1)
            n += rows.n;
        assert_string_equal (err.text, "");
        assert_int_equal (n, order[i][0] == 'a' ? 4 : 3);
        assert_int_equal (deviation_reader_cut (reader), order[i][0] == 'b');
    }
    deviation_reader_free (reader);
    temp_dir_leave (&dir);
}

/* More than a block, and a row longer than one. */
static void test_blocks (void **state)
{
    static struct table table;
    struct temp_dir dir;
    FILE *file;

    (void)state;
    temp_dir_enter (&dir);
    write_many ("d", 4000);
    read_file ("d", force_only, &table);
    assert_int_equal (table.n, 4000);
    assert_int_equal (table.step[3999], 39990);
    file = fopen ("d", "a");
    fprintf (file, ATOMIC ROW ("      100000", "1.000000e-02", "2.000000e-01"));
    for (int i = 0; i < 50000; i++)
        fprintf (file, " %18.6e", 1e-3);
    fprintf (file, "\n" ATOMIC GOOD);
    fclose (file);
    read_file ("d", force_only, &table);
    assert_int_equal (table.n, 4002);
    assert_true (table.force[4000] == 0.2);
    assert_int_equal (table.cut, 0);
    temp_dir_leave (&dir);
}

/* A file that grows: what was agreed on is read, a row being written is cut. */
static void test_growing (void **state)
{
    static const char first[] = LAMMPS "\n" GOOD "          20   ";
    static struct table table;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", LAMMPS
                "\n" GOOD ROW (S20, "1.000000e-02", "3.000000e-01") "\n" GOOD);
    table = (struct table){ .uniform = true };
    read_share ("d", force_only, 0, sizeof (first) - 1, sizeof (first) - 1,
                &table);
    assert_int_equal (table.rc, 0);
    assert_int_equal (table.n, 1);
    assert_int_equal (table.cut, 1);
    /* and one that is shorter than was said */
    table = (struct table){ .uniform = true };
    read_share ("d", force_only, 0, 1 << 20, 1 << 20, &table);
    assert_int_equal (table.rc, 0);
    assert_int_equal (table.n, 3);
    temp_dir_leave (&dir);
}

/* Offsets beyond 4 GiB: the share at the end of a sparse file. */
static void test_large_file (void **state)
{
    const uint64_t start = (UINT64_C (5) << 30) + 12345;
    static struct table table;
    struct temp_dir dir;
    FILE *file;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", LAMMPS "\n" GOOD);
    file = fopen ("d", "r+");
    assert_int_equal (fseeko (file, (off_t)start, SEEK_SET), 0);
    fputs ("\n" ROW ("  3000000000", "1.000000e-02", "3.000000e-01") "\n",
           file);
    fclose (file);
    table = (struct table){ .uniform = true };
    read_share ("d", force_only, start + 1, start + 200, start + 200, &table);
    assert_int_equal (table.rc, 0);
    assert_int_equal (table.n, 1);
    assert_int_equal (table.step[0], INT64_C (3000000000));
    temp_dir_leave (&dir);
}

/* Numbers are the doubles nearest to them, in rows that look alike. */
static void test_numbers (void **state)
{
    static const char *const numbers[] = {
        "0.000000e+00", "9.999999e+99", "1.000000e-99", "4.940656e-16",
        "4.940656e-17", "1.234567e+05", "1.234567e+06", "1.234567e+07",
        "9.007199e+28", "9.007199e+29", "1.797693e+30", "2.225074e-30",
    };
    enum { NUMBERS = ARRAY_SIZE (numbers), ALL = NUMBERS + 200 };
    struct strbuf text = STRBUF_INIT;
    struct table table;
    double wanted[ALL];

    (void)state;
    strbuf_add_str (&text, LAMMPS "\n");
    for (int i = 0; i < ALL; i++) {
        char number[32];

        if (i < NUMBERS)
            snprintf (number, sizeof (number), "%s", numbers[i]);
        else
            snprintf (number, sizeof (number), "%d.%06de%c%02d", i % 10,
                      (i * 7919 + 13) % 1000000, i & 1 ? '-' : '+', i % 37);
        wanted[i] = strtod (number, NULL);
        strbuf_addf (&text, "%12d", i);
        for (int column = 1; column < 7; column++)
            strbuf_addf (&text, " %18s", column == 4 ? number : "0.000000e+00");
        strbuf_add_char (&text, '\n');
    }
    read_text (text.buf, force_only, &table);
    assert_int_equal (table.n, ALL);
    assert_memory_equal (table.force, wanted, sizeof (wanted));
    strbuf_release (&text);
}

/* Each atom's, one row at a time. */
static void test_atoms (void **state)
{
    struct deviation_reader *reader = deviation_reader_new (force_only, true);
    struct deviation_rows rows;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    write_text ("d", ATOMIC GOOD2 ATOMIC GOOD);
    assert_int_equal (
        deviation_reader_open (reader, "d", 0, 10000, 10000, NULL), 0);
    assert_int_equal (deviation_reader_next (reader, &rows, NULL), 1);
    assert_int_equal (rows.n, 1);
    assert_int_equal (rows.n_atoms, 2);
    assert_true (rows.atoms[1] == 0.6);
    assert_int_equal (deviation_reader_next (reader, &rows, NULL), 1);
    assert_int_equal (rows.n_atoms, 0);
    assert_int_equal (deviation_reader_next (reader, &rows, NULL), 0);
    deviation_reader_free (reader);
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_forms),    cmocka_unit_test (test_real_files),
        cmocka_unit_test (test_sections), cmocka_unit_test (test_hazards),
        cmocka_unit_test (test_refusals), cmocka_unit_test (test_no_such_file),
        cmocka_unit_test (test_shares),   cmocka_unit_test (test_blocks),
        cmocka_unit_test (test_growing),  cmocka_unit_test (test_large_file),
        cmocka_unit_test (test_numbers),  cmocka_unit_test (test_atoms),
        cmocka_unit_test (test_changes),  cmocka_unit_test (test_next_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
