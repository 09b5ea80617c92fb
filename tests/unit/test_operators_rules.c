/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_rules.c - what built-in operators refuse before anything runs
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "operators/table.h"
#include "quoted_json.h"
#include "signature/operator.h"
#include "signature/value.h"
#include "temp_dir.h"

static const struct operator_spec *find (const char *name)
{
    const struct operator_spec *const *op = builtin_operators ();

    while (*op && strcmp ((*op)->name, name) != 0)
        op++;
    assert_non_null (*op);
    return *op;
}

/* Runs of one template. */
#define RUNS(EACH)                                                             \
    "{'systems': 'x', 'for_each': {}, 'replicas': 1, 'steps': 10, "            \
    "'dump_every': 1, 'input': 'p.in', 'runs': [" EACH "]}"

/* Inputs as one knows them when compiling: null is unbound, what comes from
 * another stage is not there.  'says' NULL: nothing is wrong.
 */
static const struct {
    const char *op;
    const char *inputs;
    const char *says;
} cases[] = {
    { "model_devi.select",
      "{'levels': {'force': {'low': 0.2, 'high': 0.8}}, 'semantics': 'dpgen2', "
      "'pick': {'quota': 0}, 'skip': {'steps': 1, 'dump_every': null}}",
      NULL },
    { "model_devi.select", "{}", NULL },
    { "model_devi.select", "{'levels': {'force': {'low': 0.8, 'high': 0.2}}}",
      "levels: force: low is 0.8 and high 0.2; write" },
    { "model_devi.select", "{'levels': {'force': {'low': 0.8}}}",
      "levels: force: key 'high': missing" },
    { "model_devi.select", "{'levels': {'force': {'low': 0.2, 'hihg': 0.8}}}",
      "levels: force: unknown key 'hihg'" },
    { "model_devi.select", "{'levels': {'force': {'low': '0.2', 'high': 0.8}}}",
      "levels: force: key 'low': expected a number" },
    { "model_devi.select", "{'semantics': 'dpgen3'}",
      "semantics: 'dpgen3' is not known" },
    { "model_devi.select",
      "{'levels': {'force': {'low': [0.1, 0.2], 'high': {'a': 1}}}}",
      "levels: force: key 'high': no level for the system '0'" },
    { "model_devi.select",
      "{'levels': {'force': {'low': {'a': 0.1, 'b': 0.2}, 'high': 1}}}", NULL },
    { "model_devi.select", "{'levels': {'virial': {'low': 0.2}}}",
      "levels: virial: key 'high': missing" },
    { "model_devi.select", "{'pick': {'how': 'best'}}",
      "pick: how: 'best' is not known; use random, max, stratified, "
      "inverse_population, diverse, fps, cover or doptimal" },
    { "model_devi.select", "{'pick': {'how': 'cover', 'radius': 0.5}}", NULL },
    { "model_devi.select", "{'pick': {'how': 'cover', 'radius': 0}}",
      "pick: radius: 0; write a number above 0" },
    { "model_devi.select", "{'pick': {'how': 'fps', 'radius': 0.5}}",
      "pick: radius is for how: cover" },
    { "model_devi.select",
      "{'pick': {'how': 'cover', 'quota': 1001, 'pool': 20}}",
      "pick: pool: 20 times the quota of 1001" },
    { "model_devi.select",
      "{'pick': {'how': 'cover', 'quota': 1000, 'pool': 20}}", NULL },
    { "model_devi.select", "{'pick': {'how': 'doptimal', 'weight': 'score'}}",
      "pick: weight is for how: fps" },
    { "model_devi.select", "{'pick': {'how': 'fps', 'pool': 'all'}}", NULL },
    { "model_devi.select", "{'pick': {'how': 'diverse', 'pool': 'all'}}",
      "pick: pool: all is for how: fps, cover and doptimal" },
    { "model_devi.select", "{'pick': {'pool': 'some'}}",
      "pick: key 'pool': expected an integer" },
    { "model_devi.select", "{'pick': {'how': 'fps', 'pool': 0}}",
      "pick: pool: 0 is less than 1" },
    { "model_devi.select",
      "{'pick': {'how': 'fps', 'weight': 'score', 'power': 2}}", NULL },
    { "model_devi.select", "{'pick': {'how': 'fps', 'weight': 'mass'}}",
      "pick: weight: 'mass' is not known; use none, force or score" },
    { "model_devi.select", "{'pick': {'weight': 'score'}}",
      "pick: weight is for how: fps" },
    { "model_devi.select", "{'pick': {'how': 'fps', 'power': 2}}",
      "pick: power is of a weight; write weight: score or force" },
    { "model_devi.select", "{'features': {'scale': 'large'}}",
      "features: scale: 'large' is not known; use none, standard or whiten" },
    { "model_devi.select", "{'features': {'pool': 'median'}}",
      "features: pool: 'median' is not known; use none, mean, max or sum" },
    { "model_devi.select", "{'pick': {'soft': 0.9, 'hard': 0.8}}",
      "pick: soft: 0.9 is above hard, which is 0.8" },
    { "model_devi.select", "{'pick': {'soft': 0.9, 'hard': null}}", NULL },
    { "model_devi.select", "{'pick': {'hard': 2}}",
      "pick: hard: 2; write 0 to 1" },
    { "model_devi.select", "{'pick': {'bins': 0}}",
      "pick: bins: 0; write 1 to 1000" },
    { "model_devi.select", "{'levels': {'adaptive': {'virial': {'count': 3}}}}",
      "levels: adaptive: virial has no high level" },
    { "model_devi.select",
      "{'levels': {'adaptive': {'force': {'fraction': 2}}, 'force': {'high': "
      "1}}}",
      "levels: adaptive.force: fraction: " },
    { "model_devi.select", "{'pick': {'per': 'year'}}",
      "pick: per: 'year' is not known; use iteration or system" },
    { "model_devi.select", "{'clusters': {'cutoff': 5}}", NULL },
    { "model_devi.select", "{'clusters': {'cutoff': 5, 'hard': 4}}",
      "clusters: hard: 4 is below cutoff, which is 5" },
    { "model_devi.select",
      "{'clusters': {'cutoff': 5}, 'levels': {'virial': {'low': 0, 'high': "
      "1}}}",
      "clusters: atoms are judged by fixed levels for the force; remove "
      "virial from levels" },
    { "model_devi.select", "{'duplicates': {'tolerance': 0.01}}", NULL },
    { "model_devi.select", "{'duplicates': {'tolerance': 0}}",
      "duplicates: tolerance: 0; write a number above 0" },
    { "model_devi.select",
      "{'duplicates': {'tolerance': 0.01, 'labelled': []}}",
      "duplicates: of what? write labelled: all.STAGE.dataset" },
    { "model_devi.select", "{'convergence': {'accurate': 0.9}}", NULL },
    { "model_devi.select", "{'convergence': {'accurate': 1.5}}",
      "convergence: accurate: 1.5 is above 1" },
    { "model_devi.select", "{'convergence': {'drift': 0.1}}",
      "convergence: only adaptive levels drift" },
    { "model_devi.select",
      "{'convergence': {'drift': 0.1}, 'levels': {'adaptive': {}, 'force': "
      "{'high': 1}}}",
      NULL },
    { "model_devi.select",
      "{'convergence': {'drift': 0.1, 'earlier': []}, 'levels': {'adaptive': "
      "{}, 'force': {'high': 1}}}",
      "convergence: drift needs the levels of the selections before; write "
      "earlier: all.STAGE.levels" },
    { "model_devi.select", "{'convergence': {'steps': 3}}",
      "convergence: nothing is tested; write accurate or drift" },
    { "model_devi.select", "{'clusters': {'hard': 3}}",
      "clusters: key 'cutoff': missing" },
    { "model_devi.select", "{'levels': {'adaptive': {}, 'force': {'high': 1}}}",
      NULL },
    { "model_devi.select",
      "{'levels': {'adaptive': {}, 'force': {'high': 1}}, 'semantics':"
      " 'simplify'}",
      "levels: adaptive: simplify has no number of candidates of its own" },
    { "model_devi.select",
      "{'levels': {'force': null, 'virial': null, 'energy': null, "
      "'error': null}, 'semantics': 'dpgen'}",
      "there are no levels; write levels: {force: [LOW, HIGH]}" },
    { "model_devi.select", "{'levels': {'force': [0.1, 0.2, 0.3]}}",
      "levels: force: expected two numbers, [LOW, HIGH]; write" },
    { "model_devi.select", "{'levels': {'force': 0.3}}",
      "levels: force: expected two numbers, got a real number; write [LOW, "
      "HIGH]" },
    { "model_devi.select", "{'filters': {'skew_angle': 95}}",
      "filters: skew_angle: 95; write degrees below 90" },
    { "model_devi.select",
      "{'levels': {'relative': {'force': 0.5, 'virial': 1}}}", NULL },
    { "model_devi.select", "{'levels': {'relative': {'energy': 0.5}}}",
      "levels.relative: unknown key 'energy'; there is force, virial" },
    { "model_devi.select", "{'levels': {'relative': {'force': 'x'}}}",
      "levels.relative: force: expected float, got a string" },
    { "model_devi.select", "{'levels': {'relative': {'force': -1}}}",
      "levels: relative: force: -1 is less than 0" },
    { "model_devi.select", "{'levels': {'adaptive': {'forces': {'count': 3}}}}",
      "levels.adaptive: unknown key 'forces'; did you mean 'force'?" },
    { "model_devi.select", "{'levels': {'adaptive': {'force': {'cuont': 3}}}}",
      "levels.adaptive: force: unknown key 'cuont'; did you mean 'count'?" },
    { "model_devi.select",
      "{'levels': {'adaptive': {'force': {'count': 0.5}}}}",
      "levels.adaptive: force.count: expected int, got a real number" },
    { "model_devi.select", "{'levels': {'adaptive': {'force': 3}}}",
      "levels.adaptive: force: expected map, got an integer" },
    { "model_devi.select",
      "{'forces': [], 'levels': {'relative': {'force': 0.5}}}",
      "levels: relative: deviations are not made of forces here; write "
      "relative: LEVEL in the stage that explores" },
    { "model_devi.select", "{'forces': [], 'deviations': []}",
      "deviations: neither forces nor deviations are there" },
    { "model_devi.select", "{'deviations': []}", NULL },
    { "gpumd.explore", "{'threshold': -0.5}", "threshold: -0.5 is below 0" },
    { "gpumd.explore", "{'threshold': 0}", NULL },
    /* $NAME is a variable of one letter, in LAMMPS; GPUMD has none */
    { "lammps.explore", "{'input': 'there/s.in'}",
      "input: there/s.in does not use ${steps}; let it end in" },
    { "gpumd.explore", "{'input': 'there/s.in'}",
      "input: there/s.in does not use ${steps}; let it end in" },
    { "gpumd.explore", "{'for_each': {'seed': [1]}}",
      "for_each: the variable 'seed' is set by Fanfold" },
    { "model_devi.select", "{'columns': {'forces': 'id fx fy fz'}}", NULL },
    { "model_devi.select", "{'columns': {'forces': 7}}",
      "columns.forces: expected string, got an integer" },
    { "model_devi.select", "{'pick': {'quota': -1}}",
      "pick: quota: -1 is less than 0" },
    { "model_devi.select", "{'skip': {'steps': -1}}",
      "skip: steps: -1 is less" },
    { "model_devi.select", "{'skip': {'steps': 60, 'dump_every': null}}",
      "skip: steps: 60 needs dump_every" },
    { "model_devi.select", "{'skip': {'steps': 60, 'dump_every': 0}}",
      "dump_every: 0 is less than 1" },
    { "model_devi.select", "{'skip': {'steps': 60}}", NULL },
    { "lammps.explore", "{'steps': 0}", "steps: 0 is less than 1" },
    { "lammps.explore", "{'steps': 40, 'dump_every': 40}", NULL },
    { "lammps.explore", "{'steps': 40, 'dump_every': 41}",
      "dump_every: no frame is written in 40 steps" },
    { "lammps.explore", "{'committee': 'deepmd'}", "committee: 'deepmd'" },
    { "lammps.explore", "{'lammps': []}", "lammps: there is no program" },
    { "lammps.explore", "{'lammps': ['lmp', 3]}", "lammps[1]: expected" },
    { "lammps.explore", "{'for_each': {'seed': [1]}}", "for_each: " },
    { "lammps.explore", "{'for_each': {'t': 300}}",
      "for_each: t: expected list of float, got an integer" },
    { "lammps.explore", "{'for_each': {'t': [300, 'hot']}}",
      "for_each: t[1]: expected float, got a string" },
    { "lammps.explore", "{'for_each': {'t': []}}",
      "for_each.t: there are no values; write [300, 600]" },
    { "lammps.explore", "{'for_each': [1]}",
      "for_each: expected map, got an array" },
    { "lammps.explore", "{'runs': [{'step': 3}]}",
      "runs: [0]: unknown key 'step'; did you mean 'steps'?" },
    { "lammps.explore", "{'runs': [{}, {'steps': 'many'}]}",
      "runs: [1].steps: expected int, got a string" },
    { "lammps.explore", "{'runs': [3]}",
      "runs: [0]: expected map, got an integer" },
    { "lammps.explore", RUNS ("{'for_each': {'t': [1]}, 'input': 't.in'}, {}"),
      NULL },
    { "lammps.explore",
      RUNS ("{'for_each': {'t': [1]}, 'input': 't.in'}, {'for_each': {'p': "
            "[1]}}"),
      "runs[1]: input: there/p.in:1: 'variable p' is said by for_each" },
    { "lammps.explore", RUNS ("{'for_each': {'t': [1]}, 'input': 'md.in'}"),
      "runs[0]: input: there/md.in does not use the variable 't' of for_each" },
    { "lammps.explore", RUNS ("{'for_each': {'scale': [1]}, 'input': 'md.in'}"),
      NULL },
    { "lammps.explore", RUNS ("{'for_each': {}, 'input': 't.in'}"),
      "runs[0]: input: there/t.in:1: nothing sets the variable 't'; write" },
    { "lammps.explore", "{'runs': [{'for_each': {'t': [null]}}]}",
      "runs: [0].for_each.t[0]: expected float, got null" },
    { "lammps.explore", "{'replicas': 0}", "replicas: 0 is less than 1" },
    { "lammps.explore",
      "{'systems': {'a': 'x'}, 'for_each': {'t': [1, 2]}, 'replicas': 500001}",
      "make more than 1000000 tasks" },
    { "lammps.explore", "{'systems': {}}", "systems: name at least one" },
    { "lammps.explore", "{'systems': {'../a': 'x'}}", "systems: '../a' is no" },
    { "lammps.explore", "{'systems': {'a': 'x'}, 'elements': ['Si']}",
      "systems.a: cannot open 'there/x'" },
    { "lammps.explore", "{'systems': {'a': 'pw.in'}, 'elements': ['Si']}",
      "systems.a: there/pw.in:" },
    { "lammps.explore", "{'systems': {'a': 'x'}}", NULL },
    { "lammps.explore", "{'input': 'there/pw.in'}",
      "input: there/pw.in does not use ${steps}" },
    { "lammps.explore", "{'input': 'there/md.in'}", NULL },
    { "lammps.label", "{'input': 'there/sw.in'}", NULL },
    { "lammps.label", "{'input': 'there/md.in'}",
      "input: there/md.in:1: 'run' is filled in by Fanfold for every frame; "
      "remove it: nothing moves" },
    { "lammps.label", "{'input': 'there/pw.in'}",
      "input: there/pw.in: there is no pair_style" },
    { "lammps.label", "{'input': 'there/comment.in'}",
      "input: there/comment.in: there is no pair_style" },
    { "lammps.label", "{'input': 'there/include.in'}", NULL },
    { "lammps.label", "{'files': ['a/x.sw', 'x.sw']}",
      "files: 'a/x.sw' and 'x.sw' would have one name" },
    { "lammps.label",
      "{'input': 'there/sw.in', 'fallback': ['there/sw.in', 'there/md.in']}",
      "fallback: there/md.in:1: 'run'" },
    { "qe.label", "{'input': 'there/pw.in', 'pw': ['pw.x']}", NULL },
    { "qe.label", "{'input': 'there/pw.in', 'fallback': ['there/nat.in']}",
      "fallback: there/nat.in:2: 'nat' is filled in" },
    { "qe.label", "{'input': 'there/none.in'}",
      "input: there/none.in: there are no K_POINTS; add the card, or write "
      "kspacing: NUMBER" },
    { "qe.label", "{'input': 'there/none.in', 'kspacing': 0.3}", NULL },
    { "qe.label", "{'kspacing': 0}", "kspacing: must be more than 0" },
    { "qe.label", "{'input': 'there/pw.in', 'kspacing': 0.3}",
      "input: there/pw.in has K_POINTS; remove them, or kspacing of the "
      "stage" },
    { "qe.label",
      "{'input': 'there/none.in', 'fallback': ['there/pw.in'], 'kspacing': 1}",
      "fallback: there/pw.in has K_POINTS; remove them, or kspacing" },
    { "qe.label", "{'input': 'there/md.in'}",
      "input: there/md.in: there is no namelist &CONTROL" },
    { "qe.label", "{'input': 'there/nat.in'}", "input: there/nat.in:2: 'nat'" },
    { "qe.label", "{'pseudopotentials': {'Si': 'Si.UPF'}}", NULL },
    { "qe.label", "{'pseudopotentials': {'Sj': 'Si.UPF'}}",
      "pseudopotentials: 'Sj' is no element" },
    { "qe.label", "{'pseudopotentials': {'Si': 1}}",
      "pseudopotentials: Si: expected string, got an integer" },
    { "qe.label", "{'pw': ['']}", "pw: there is no program" },
    { "command", "{'argv': ['sleep', 5]}", NULL },
    { "command", "{'argv': []}", "argv: there is no program" },
    { "command", "{'argv': [5]}", "argv: there is no program" },
};

/* Its type, and what that cannot say. */
static int check_input (const struct port *port, const struct json *inputs,
                        struct error *err)
{
    const struct json *value = json_get_path (inputs, port->name);

    if (!json_is_null (value)
        && value_check (&port->type, value, VALUE_SHAPE, "there", NULL, err)
               < 0)
        return error_prefix (err, "%s", port->name);
    return port_check (
        port,
        &(struct known_input){ .others = inputs, .dir = "there", .ranks = 2 },
        err);
}

static void test_rules (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (file_make_dirs ("there", NULL), 0);
    write_text ("there/md.in", "run ${steps}\n");
    write_text ("there/s.in", "run $steps\n");
    write_text ("there/p.in", "variable p equal 1\nrun ${steps}\n");
    write_text ("there/t.in", "velocity all create ${t} 1\nrun ${steps}\n");
    write_text ("there/sw.in", "pair_style sw\npair_coeff * * Si.sw Si\n");
    write_text ("there/pw.in", "&CONTROL\n/\n&SYSTEM ecutwfc = 20\n/\n"
                               "K_POINTS gamma\n");
    write_text ("there/none.in", "&CONTROL\n/\n&SYSTEM ecutwfc = 20\n/\n");
    write_text ("there/comment.in", "pair_coeff * * a # after pair_style\n");
    write_text ("there/include.in", "include potential.in\n");
    write_text ("there/nat.in", "&CONTROL\n nat = 2\n/\n");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *inputs = json_of (cases[i].inputs);
        const struct port *port = find (cases[i].op)->inputs;
        struct error err = ERROR_INIT;
        int rc = 0;

        for (; rc == 0 && port->name; port++)
            rc = check_input (port, inputs, &err);
        if (rc != (cases[i].says ? -1 : 0)
            || !strstr (err.text, cases[i].says ? cases[i].says : ""))
            fail_msg ("%s: '%s'", cases[i].inputs, err.text);
        json_unref (inputs);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_rules),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
