/* SPDX-License-Identifier: BSD-3-Clause */
/* mistakes.h - what people write, and all that check says of it */
#ifndef TESTS_MISTAKES_H
#define TESTS_MISTAKES_H

/* An edit of campaign.yaml, or of site.yaml where 'from' stands in that: every
 * 'from' becomes 'to'.  'says' is all that check says, with paths relative to
 * the campaign's directory.
 */
struct mistake {
    const char *from, *to;
    const char *says;
    const char *also_from, *also_to; /* another edit; NULL: none */
};

#define EDIT(from, to, says)                                                   \
    {                                                                          \
        from, to, says, NULL, NULL                                             \
    }
#define EDITS(from, to, also_from, also_to, says)                              \
    {                                                                          \
        from, to, says, also_from, also_to                                     \
    }

static const struct mistake mistakes[] = {
    EDIT ("uses: pair.train", "use: pair.train",
          "campaign.yaml:7:3: stage 'train' does not say what it does; add "
          "uses: OPERATOR\n"
          "campaign.yaml:8:5: unknown key 'use' in stage 'train'; did you mean "
          "'uses'?\n"),
    EDIT ("stop:", "stops:",
          "campaign.yaml:1:1: the campaign does not say when it ends; add "
          "stop: {iterations: 12}\n"
          "campaign.yaml:28:1: unknown key 'stops' in campaign.yaml; did you "
          "mean 'stop'?\n"),
    EDIT ("dump_every", "dump_evry",
          "campaign.yaml:17:7: lammps.explore has no input 'dump_evry'; did "
          "you mean 'dump_every'?\n"),
    EDIT ("      dump_every: 10\n", "",
          "campaign.yaml:10:3: stage 'explore': dump_every is missing; give it "
          "in with:, or in each of runs\n"),
    EDIT ("{fcc: fcc.data}", "{fcc: fc.data}",
          "campaign.yaml:14:16: stage 'explore': systems.fcc: no such "
          "file 'fc.data'; did you mean 'fcc.data'?\n"),
    EDIT ("{fcc: fcc.data}", "data/*.dat",
          "campaign.yaml:14:16: stage 'explore': systems: no file matches "
          "'data/*.dat'; write a pattern of files that are there\n"),
    EDIT ("table linear 1000", "\"zero 5\\nshell touch X\"",
          "campaign.yaml:18:19: stage 'explore': pair_style: has a line break "
          "or a control character, and stands in files of lammps; write one "
          "line\n"),
    EDITS (
        "uses: pair.label", "uses: qe.label", "previous.select.frames}",
        "previous.select.frames, input: pw.in, pw: [sh], pseudo_dir: "
        "\"a\\rb\", "
        "pseudopotentials: {Ar: \"Ar.UPF\\n/\"}}",
        "campaign.yaml:27:80: stage 'label': pseudo_dir: has a line break or "
        "a control character, and stands in files of qe; write one line\n"
        "campaign.yaml:27:106: stage 'label': pseudopotentials: has a line "
        "break or a control character, and stands in files of qe; write one "
        "line\n"),
    EDIT ("steps: 1000", "steps: many",
          "campaign.yaml:16:14: input 'steps' of stage 'explore': expected "
          "int, got 'many'; write a whole number\n"),
    EDIT ("steps: 1000", "steps: 0",
          "campaign.yaml:16:14: stage 'explore': steps: 0 is less than 1; "
          "write 1 or more\n"),
    EDIT ("{temperature: [60, 90]}", "{temprature: [60, 90]}",
          "campaign.yaml:13:14: stage 'explore': input: md.in:1: nothing sets "
          "the variable 'temperature'; did you mean 'temprature'? Else write "
          "for_each: {temperature: [...]} in the stage, or `variable "
          "temperature equal ...` above\n"),
    EDIT ("{temperature: [60, 90]}",
          "{temperature: [60, 90], pressure: [0, 1]}",
          "campaign.yaml:13:14: stage 'explore': input: md.in does not use the "
          "variable 'pressure' of for_each, so its values make the same MD "
          "several times; write ${pressure} there, or remove it; for more MD "
          "with other seeds there is replicas\n"),
    EDIT ("select.accurate > 0.9", "select.accurate > 90",
          "campaign.yaml:28:14: 'when' of stop: column 19: select.accurate is "
          "a fraction, from 0 to 1, and > 90 says nothing of it; write 0.9 for "
          "90 %\n"),
    EDIT ("input: md.in", "input: mdd.in",
          "campaign.yaml:13:14: input 'input' of stage 'explore': no such file "
          "'mdd.in'; did you mean 'md.in'?\n"),
    EDIT ("initial.extxyz", "inital.extxyz",
          "campaign.yaml:5:18: data.initial: no such file "
          "'data/inital.extxyz'; did you mean 'data/initial.extxyz'?\n"),
    EDIT ("walltime: 10m", "walltime: 10min",
          "campaign.yaml:9:46: walltime: got '10min'; write a duration of more "
          "than 0, such as 90s, 10m or 1h30m\n"),
    EDIT ("memory: 1GiB", "memory: 1G",
          "campaign.yaml:9:30: memory: got '1G'; write a size of more than 0, "
          "such as 512MiB or 4GiB\n"),
    EDIT ("memory: 1GiB", "memory: 4000",
          "campaign.yaml:9:30: warning: memory: 4000 alone is in bytes; write "
          "4000MiB, or 4000GiB\n"),
    EDIT ("walltime: 10m", "walltime: 12:00",
          "campaign.yaml:9:46: walltime: '12:00' may be hours or minutes; "
          "write 12h or 12m\n"),
    EDIT ("walltime: 10m", "walltime: 1:30",
          "campaign.yaml:9:46: walltime: '1:30' may be hours or minutes; write "
          "1h30m or 1m30s\n"),
    EDIT ("walltime: 10m", "walltime: 10",
          "campaign.yaml:9:46: warning: walltime: 10 alone is in seconds; "
          "write 10s, or 10m for minutes\n"),
    EDIT ("walltime: 10m", "walltime: 30h",
          "campaign.yaml:9:46: stage 'train' in profile 'here': a task needs a "
          "walltime of 1d06h and the limit of the profile (of its partition or "
          "queue, where that is less) is 1d00h; lower task.walltime or choose "
          "another profile\n"),
    EDIT ("    uses: lammps", "	uses: lammps",
          "campaign.yaml:11:1: a tab where YAML takes spaces; replace it\n"),
    EDIT ("previous.select.frames", "prev.select.frames",
          "campaign.yaml:27:20: input 'frames' of stage 'label': nothing is "
          "called 'prev.select.frames'; did you mean "
          "'previous.select.frames'?\n"),
    EDIT ("previous.select.frames", "latst.select.frames",
          "campaign.yaml:27:20: input 'frames' of stage 'label': nothing is "
          "called 'latst.select.frames'; did you mean "
          "'latest.select.frames'?\n"),
    EDIT ("previous.select.frames", "previous.selct.frames",
          "campaign.yaml:27:20: input 'frames' of stage 'label': there is no "
          "stage 'selct'; did you mean 'select'?\n"),
    EDIT ("previous.select.frames", "select.frames",
          "campaign.yaml:7:3: stages wait for each other: 'train' needs "
          "'label' needs 'select' needs 'explore' needs 'train'; let one of "
          "them take previous.STAGE.OUTPUT\n"),
    EDIT ("uses: lammps.explore", "uses: lamps.explore",
          "campaign.yaml:11:11: unknown operator 'lamps.explore'; did you mean "
          "'lammps.explore'?\n"),
    EDIT ("models: 4", "models: -4",
          "campaign.yaml:4:9: models: got '-4'; write a whole number from 1 to "
          "1000\n"),
    EDIT ("models: 4", "models: 1",
          "campaign.yaml:4:9: stage 'select' compares the members of a "
          "committee, and there is one; write models: 4, or at least 2\n"),
    EDIT ("quota: 8", "quota: -8",
          "campaign.yaml:24:21: stage 'select': pick: quota: -8 is less than "
          "0; write 0 or more\n"),
    EDIT ("quota: 8", "quota: 0",
          "campaign.yaml:24:21: warning: stage 'select': pick: quota: 0 "
          "selects no frame, and stages that take frames of it are skipped; "
          "write 1 or more, unless it is only to judge\n"),
    EDIT ("[0.1, 0.3]", "[0.2, 0.2]",
          "campaign.yaml:23:23: warning: stage 'select': levels: force: low "
          "and high are both 0.2, so no frame is a candidate by it; write low "
          "< high\n"),
    EDIT ("[0.1, 0.3]", "[200, 800]",
          "campaign.yaml:23:23: warning: stage 'select': levels: force: high "
          "is 800, and levels are in eV/angstrom; write 0.8 if that is in "
          "meV/angstrom\n"),
    EDIT ("iterations: 5", "consecutive: 20, iterations: 12",
          "campaign.yaml:28:50: warning: stop: `when` never holds in 20 "
          "iterations in a row, since there are 12; write consecutive: 12 or "
          "less\n"),
    EDIT ("uses: pair.label\n    with: {",
          "uses: qe.label\n    with: {input: pw.in, pw: [sh], pseudo_dir: "
          "/nowhere, pseudopotentials: {Kr: Kr.UPF}, ",
          "campaign.yaml:27:76: warning: stage 'label': pseudopotentials: none "
          "for 'Ar', and frames that have it fail; add Ar: FILE\n"),
    EDIT ("uses: pair.label\n    with: {",
          "uses: qe.label\n    with: {input: pw.in, pw: [sh], pseudo_dir: "
          "/nowhere, pseudopotentials: {Ar: Ar.UPF}, ",
          "campaign.yaml:27:76: warning: stage 'label': pseudopotentials: "
          "there is no '/nowhere' on this host; if the nodes do not have "
          "it either: correct pseudo_dir\n"),
    EDIT (
        "uses: pair.label\n    with: {",
        "uses: qe.label\n    with: {input: pw.in, pw: [sh], pseudo_dir: "
        "., pseudopotentials: {Ar: campaign.yml}, ",
        "campaign.yaml:27:69: stage 'label': pseudopotentials.Ar: there is no "
        "'campaign.yml' in .; did you mean 'campaign.yaml'?\n"),
    EDIT ("iterations: 5", "iterations: 0",
          "campaign.yaml:28:49: iterations: got '0'; write a whole number from "
          "1 to 999999\n"),
    EDIT ("[0.1, 0.3]", "[0.3, 0.1]",
          "campaign.yaml:23:23: stage 'select': levels: force: low is 0.3 and "
          "high 0.1; write 0 <= low <= high\n"),
    EDIT ("[0.1, 0.3]", "{lo: 0.1, hi: 0.3}",
          "campaign.yaml:23:23: stage 'select': levels: force: unknown key "
          "'lo'; there is low, high\n"),
    EDIT ("[0.1, 0.3]", "{low: 0.1}",
          "campaign.yaml:23:23: stage 'select': levels: force: key 'high': "
          "missing; write [LOW, HIGH]\n"),
    EDIT ("[0.1, 0.3]", "0.3",
          "campaign.yaml:23:23: stage 'select': levels: force: expected two "
          "numbers, got a real number; write [LOW, HIGH]\n"),
    EDIT ("      levels: {force: [0.1, 0.3]}\n", "",
          "campaign.yaml:20:3: stage 'select': there are no levels; write "
          "levels: {force: [LOW, HIGH]}, or levels for the virial or the "
          "energy, or error: {...}\n"),
    EDIT ("      pick: {quota: 8}\n", "",
          "campaign.yaml:20:3: stage 'select' needs the input 'pick.quota' "
          "(int); write pick: {quota: ...} in with:\n"),
    EDIT ("pick: {quota: 8}", "semantics: simplify",
          "campaign.yaml:20:3: stage 'select' needs the input 'pick.quota' "
          "(int); write pick: {quota: ...} in with:\n"),
    EDIT ("pick: {quota: 8}", "semantics: dpgen3",
          "campaign.yaml:20:3: stage 'select' needs the input 'pick.quota' "
          "(int); write pick: {quota: ...} in with:\n"),
    EDIT ("pick: {quota: 8}", "pick: {quota: 8}\n      semantics: dpgen3",
          "campaign.yaml:25:18: stage 'select': semantics: 'dpgen3' is not "
          "known; use dpgen, dpgen2 or simplify\n"),
    EDIT ("levels: {force: [0.1, 0.3]}",
          "levels: {adaptive: {}}\n      semantics: dpgen2",
          "campaign.yaml:20:3: stage 'select': convergence: drift needs the "
          "levels of the selections before; write earlier: all.STAGE.levels "
          "of this stage\n"),
    EDIT ("levels: {force: [0.1, 0.3]}",
          "levels: {force: {high: 0.3}, adaptive: {}}\n      semantics: "
          "simplify",
          "campaign.yaml:23:46: stage 'select': levels: adaptive: simplify has "
          "no number of candidates of its own; write {force: {count: N}}\n"),
    EDIT ("pick: {quota: 8}", "quota: 8",
          "campaign.yaml:24:7: model_devi.select has no input 'quota'; write "
          "pick: {quota: ...}\n"),
    EDIT ("levels: {force: [0.1, 0.3]}", "force: {low: 0.1, high: 0.3}",
          "campaign.yaml:23:7: model_devi.select has no input 'force'; write "
          "levels: {force: ...}\n"),
    EDIT ("levels: {force: [0.1, 0.3]}", "f_trust_lo: 0.1",
          "campaign.yaml:23:7: model_devi.select has no input 'f_trust_lo'; "
          "write levels: {force: [LOW, HIGH]}\n"),
    EDIT ("pick: {quota: 8}", "fp_task_max: 8",
          "campaign.yaml:24:7: model_devi.select has no input 'fp_task_max'; "
          "write pick: {quota: N}\n"),
    EDIT ("      pick: {quota: 8}\n",
          "      pick: {quota: 8}\n      iterations: [{from: 3}]\n",
          "campaign.yaml:25:7: model_devi.select has no input 'iterations'; "
          "write phases: of the campaign, with what changes in each\n"),
    EDIT ("pick: {quota: 8}", "qouta: 8",
          "campaign.yaml:24:7: model_devi.select has no input 'qouta'; did you "
          "mean pick: {quota: ...}?\n"),
    EDIT ("      dump_every: 10\n",
          "      dump_every: 10\n      temps: [300]\n",
          "campaign.yaml:18:7: lammps.explore has no input 'temps'; write "
          "for_each: {temperature: [T, ...]}\n"),
    EDIT ("pick: {quota: 8}", "pick.quota: 8",
          "campaign.yaml:24:7: model_devi.select has no input 'pick.quota'; "
          "write pick: {quota: ...}\n"),
    EDIT ("pick: {quota: 8}", "pick: {qouta: 8}",
          "campaign.yaml:24:14: pick of model_devi.select has no input "
          "'qouta'; did you mean 'quota'?\n"),
    EDIT ("pick: {quota: 8}", "pick: {quota: 8, how: best}",
          "campaign.yaml:24:29: stage 'select': pick: how: 'best' is not "
          "known; use random, max, stratified, inverse_population, "
          "diverse, fps, cover or doptimal\n"),
    EDIT ("pick: {quota: 8}", "pick: random",
          "campaign.yaml:24:13: pick: got 'random'; write pick: {KEY: VALUE}, "
          "with quota, per, how, minimum, soft, hard, bins, pool, "
          "weight, power, radius\n"),
    EDIT ("pick: {quota: 8}", "pick: [8]",
          "campaign.yaml:24:13: pick: got a list; write pick: {KEY: VALUE}, "
          "with quota, per, how, minimum, soft, hard, bins, pool, "
          "weight, power, radius\n"),
    EDIT ("pick: {quota: 8}", "pick: {quota: lots}",
          "campaign.yaml:24:21: input 'pick.quota' of stage 'select': "
          "expected int, got 'lots'; write a whole number\n"),
    EDIT ("pick: {quota: 8}", "pcik: {quota: 8}",
          "campaign.yaml:24:7: model_devi.select has no input 'pcik'; did you "
          "mean 'pick'?\n"),
    EDIT ("elements: [Ar]", "elements: Ar",
          "campaign.yaml:3:11: elements: got 'Ar'; write a list, [Ar]\n"),
    EDIT ("elements: [Ar]", "elements: [Argon]",
          "campaign.yaml:3:12: 'Argon' is no chemical symbol; write one such "
          "as Si\n"),
    EDIT (
        "elements: [Ar]", "elements: [AR]",
        "campaign.yaml:3:12: 'AR' is no chemical symbol; did you mean 'Ar'?\n"),
    EDITS (
        "elements: [Ar]", "elements: [AR]", "{frames: previous.select.frames}",
        "{frames: data/initial.extxyz}",
        "campaign.yaml:3:12: 'AR' is no chemical symbol; did you mean 'Ar'?\n"),
    EDIT ("elements: [Ar]", "elements: [Ar, Ar]",
          "campaign.yaml:3:16: the element 'Ar' is listed twice; remove one\n"),
    EDIT ("elements: [Ar]", "elements: [Kr]",
          "campaign.yaml:5:18: data.initial: frame 0 of 'data/initial.extxyz' "
          "has the element 'Ar', which the campaign lacks; write elements: "
          "[Kr, Ar]\n"),
    EDIT ("elements: [Ar]", "elements: [Ar, Kr]",
          "campaign.yaml:3:16: warning: no initial data have the element 'Kr'; "
          "add some, or remove it\n"),
    EDIT ("data/initial.extxyz", "data/krypton.extxyz",
          "campaign.yaml:5:18: data.initial: frame 1 of 'data/krypton.extxyz' "
          "has the element 'Kr', which the campaign lacks; write elements: "
          "[Ar, Kr]\n"),
    EDIT ("data/initial.extxyz", "data/bare.extxyz",
          "campaign.yaml:5:18: data.initial: frame 0 of 'data/bare.extxyz' has "
          "no energy; keep the frames that have an energy and forces\n"),
    EDIT (
        "data/initial.extxyz", "data/forceless.extxyz",
        "campaign.yaml:5:18: data.initial: frame 1 of 'data/forceless.extxyz' "
        "has no forces; keep the frames that have an energy and forces\n"),
    EDIT ("data/initial.extxyz", "data/poscar",
          "campaign.yaml:5:18: data.initial: data/poscar:1: expected the "
          "number of atoms; convert it to extended XYZ\n"),
    EDIT ("data/initial.extxyz", "data/empty.extxyz",
          "campaign.yaml:5:18: data.initial: 'data/empty.extxyz' has no frame; "
          "name a file that has some\n"),
    EDIT ("data/initial.extxyz", "data",
          "campaign.yaml:5:18: data.initial: 'data' has no type.raw, nor has a "
          "directory in it; name extended XYZ files or directories of DeePMD "
          "data\n"),
    EDIT ("{frames: previous.select.frames}", "{frames: data/krypton.extxyz}",
          "campaign.yaml:27:20: input 'frames' of stage 'label': frame 1 of "
          "'data/krypton.extxyz' has the element 'Kr', which the campaign "
          "lacks; write elements: [Ar, Kr]\n"),
    EDIT (
        "fcc.data", "two.data",
        "campaign.yaml:14:16: stage 'explore': systems.fcc: two.data:11: "
        "atom type 2, but there are 1 elements; name a LAMMPS data file "
        "whose atom types are those of elements, or another file of frames\n"),
    EDIT ("fcc.data", "md.in",
          "campaign.yaml:14:16: stage 'explore': systems.fcc: md.in: no Atoms "
          "section; name a LAMMPS data file whose atom types are those of "
          "elements, or another file of frames\n"),
    EDIT (
        "cores: 1,", "cores: 64,",
        "campaign.yaml:9:19: stage 'train' in profile 'here': a task needs 64 "
        "cores and a node has 4; lower task.cores or choose another profile\n"),
    EDIT ("cores: 1,", "gpus: 1,",
          "campaign.yaml:9:18: stage 'train' in profile 'here': a task needs 1 "
          "GPUs and a node has 0; lower task.gpus or choose another profile\n"),
    EDIT ("memory: 1GiB", "memory: 16GiB",
          "campaign.yaml:9:30: stage 'train' in profile 'here': a task needs "
          "16.0 GiB of memory and a node has 8.0 GiB; lower task.memory or "
          "choose another profile\n"),
    EDITS ("models: 4", "models: 1000", "limits: {walltime: 24h}",
           "limits: {walltime: 10m, elements: 1}",
           "campaign.yaml:7:3: warning: stage 'train' has 1000 tasks, which "
           "take 250 submissions by the limits of profile 'here'; make fewer "
           "tasks, lower task.walltime, or raise the limits\n"),
    EDIT (
        "cores: 1,", "nodes: 2, cores: 2,",
        "campaign.yaml:9:19: a task of stage 'train' needs 2 nodes and the "
        "jobs of profile 'here' run on this machine; choose another profile\n"),
    EDIT ("cores: 1,", "cpus: 1,",
          "campaign.yaml:9:12: unknown key 'cpus' in task; write cores\n"),
    EDIT ("memory: 1GiB", "mem: 1GiB",
          "campaign.yaml:9:22: unknown key 'mem' in task; write memory\n"),
    EDIT ("walltime: 10m", "time: 10m",
          "campaign.yaml:9:36: unknown key 'time' in task; write walltime\n"),
    EDIT ("cores: 1,", "ntasks: 1,",
          "campaign.yaml:9:12: unknown key 'ntasks' in task; write ranks\n"),
    EDIT ("cores: 1,", "partition: short,",
          "campaign.yaml:9:12: unknown key 'partition' in task; it belongs to "
          "a profile of site.yaml, which the stage names by profile: NAME\n"),
    EDIT ("cores: 1,", "cores: 3, ranks: 2,",
          "campaign.yaml:9:19: stage 'train': 3 cores cannot be shared evenly "
          "by 2 ranks; make cores a multiple of ranks\n"),
    EDIT ("node: {cores: 64}", "node: {cpus: 64}",
          "site.yaml:10:11: node: no cores; say how many a node has\n"
          "site.yaml:10:12: unknown key 'cpus' in node; write cores\n"),
    EDIT ("scheduler: slurm", "scheduler: slrum",
          "site.yaml:9:16: unknown scheduler 'slrum'; did you mean 'slurm'?\n"),
    EDIT ("limits: {walltime: 24h}", "setup: [module load lammps]",
          "site.yaml:7:13: setup: 'module load lammps' is one word, and no "
          "shell splits it; write [module, load, lammps]\n"),
    EDIT ("limits: {walltime: 24h}",
          "setup: [[module, load, lammps, '&&', ls]]",
          "site.yaml:7:36: warning: '&&' is an argument like others, since no "
          "shell reads a command; write [sh, -c, '... && ...'] if it is meant "
          "for one\n"),
    EDIT ("limits: {walltime: 24h}", "launcher: mpirun",
          "site.yaml:7:15: launcher: there is no preset 'mpirun'; there is "
          "openmpi, mpich, intelmpi, srun\n"),
    EDIT ("stop:", "notify: {finished: [sh]}\nstop:",
          "campaign.yaml:28:10: unknown key 'finished' in notify; there is "
          "stage_failed, iteration_done, paused, done, stuck, deadline\n"),
    EDIT ("stop:", "notify: {done: []}\nstop:",
          "campaign.yaml:28:16: done: got a list; write a list, [program, "
          "argument, ...]; there is no shell to split words\n"),
    EDIT ("stop:", "notify: {done: [no-such-program, a]}\nstop:",
          "campaign.yaml:28:16: 'no-such-program' is in no directory of PATH "
          "(path); write its full path, or add its directory to PATH\n"),
    EDIT ("stop:", "notify: {done: [/no/such/program]}\nstop:",
          "campaign.yaml:28:16: there is no program '/no/such/program'; write "
          "where it is\n"),
    EDIT ("stop:", "notify: {done: [data/md.sh]}\nstop:",
          "campaign.yaml:28:17: notify: 'data/md.sh' is relative; write a full "
          "path, or \"{campaign}/data/md.sh\"\n"),
    EDIT ("stop:", "notify: {done: [\"{campaign}/data/md.sh\"]}\nstop:",
          "campaign.yaml:28:16: 'data/md.sh' is not executable; run chmod +x "
          "'data/md.sh'\n"),
    EDIT ("stop:", "notify: {done: [sh, \"{stage}\"]}\nstop:",
          "campaign.yaml:28:21: notify: unknown placeholder '{stage}'; there "
          "is {campaign} and {fanfold}, and the event is on standard input\n"),
    EDIT ("stop:", "notify: {done: [sh, -c, cat], deadline: 0}\nstop:",
          "campaign.yaml:28:41: deadline: got '0'; write a duration of more "
          "than 0, such as 90s, 10m or 1h30m\n"),
    EDIT ("default_profile: here",
          "notify: {stuck: [no-such-program, a]}\ndefault_profile: here",
          "site.yaml:2:17: 'no-such-program' is in no directory of PATH "
          "(path); write its full path, or add its directory to PATH\n"),
    EDIT ("default_profile: here", "default_profile: her",
          "site.yaml:2:18: default_profile: unknown profile 'her'; did you "
          "mean 'here'?\n"),
    EDIT ("{campaign}/train.sh", "{campaign}/trian.sh",
          "campaign.yaml:36:15: there is no program 'trian.sh'; did you mean "
          "'train.sh'?\n"),
    EDIT ("{campaign}/train.sh", "{campaign}/label.sh",
          "campaign.yaml:36:15: 'label.sh' is not executable; run chmod +x "
          "'label.sh'\n"),
    EDIT ("{campaign}/train.sh", "{campaign}/data",
          "campaign.yaml:36:15: 'data' is no program, but a directory; name "
          "the program in it\n"),
    EDIT ("\"{campaign}/train.sh\", \"{model}\", \"{datasets}\"",
          "\"train.sh {model}\"",
          "campaign.yaml:36:15: 'train.sh {model}' is one word, and no shell "
          "splits it; write [train.sh, \"{model}\"]\n"),
    EDIT ("\"{campaign}/train.sh\"", "train.sh",
          "campaign.yaml:36:15: 'train.sh' is in no directory of PATH (path); "
          "write \"{campaign}/train.sh\"\n"),
    EDIT ("\"{campaign}/train.sh\"", "./train.sh",
          "campaign.yaml:36:15: 'train.sh' is looked for in the task's own "
          "directory, where there is no such file; write "
          "\"{campaign}/train.sh\"\n"),
    EDIT ("\"{campaign}/train.sh\"", "bin/fit",
          "campaign.yaml:36:15: 'bin/fit' is looked for in the task's own "
          "directory, where there is no such file; write "
          "\"{campaign}/bin/fit\", or a full path\n"),
    EDIT ("\"{campaign}/train.sh\"", "python3, train.sh",
          "campaign.yaml:36:24: warning: 'train.sh' is a file of the "
          "campaign's directory, and commands run in one of their own; write "
          "\"{campaign}/train.sh\"\n"),
    EDIT ("\"{campaign}/label.sh\"", "\"{campaign}/lable.sh\"",
          "campaign.yaml:41:19: warning: there is no 'lable.sh'; did you mean "
          "'label.sh'?\n"),
    EDIT ("[sh, ", "[bash, ",
          "campaign.yaml:41:15: 'bash' is in no directory of PATH (path); "
          "write its full path, or add its directory to PATH\n"),
    EDIT ("\"{campaign}/train.sh\", \"{model}\", \"{datasets}\"",
          "python3 train.py",
          "campaign.yaml:36:15: 'python3 train.py' is one word, and no shell "
          "splits it; write [python3, train.py]\n"),
    EDITS ("    uses: pair.train\n", "    uses: pair.train\n    profile: far\n",
           "[\"{campaign}/train.sh\", ", "[/opt/fit, ",
           "campaign.yaml:37:15: warning: there is no program '/opt/fit' on "
           "this host; if the nodes of profile 'far' do not have it either: "
           "write where it is\n"),
    EDITS ("    uses: pair.train\n", "    uses: pair.train\n    profile: far\n",
           "[\"{campaign}/train.sh\", ", "[fit, ",
           "campaign.yaml:37:15: warning: 'fit' is in no directory of PATH "
           "(path) on this host; if the nodes of profile 'far' do not have it "
           "either: write its full path, or add its directory to PATH\n"),
    EDITS ("    uses: pair.train\n", "    uses: pair.train\n    profile: far\n",
           "cores: 1,", "ranks: 2,",
           "campaign.yaml:10:19: a task of stage 'train' has 2 ranks and "
           "profile 'far' no launcher; add launcher: [srun, --exact, -n, "
           "\"{ranks}\"] "
           "or the like to the profile\n"),
    EDIT ("elements: [Ar]\n", "",
          "campaign.yaml:1:1: the campaign names no elements, and its stages "
          "need them; add elements: [Si], in the order of their types\n"),
    EDIT ("pair_style: table linear 1000\n",
          "pair_style: table linear 1000\n      lammps: [lmp_mpi]\n",
          "campaign.yaml:19:15: 'lmp_mpi' is in no directory of PATH (path); "
          "write its full path, or add its directory to PATH\n"),
    EDIT ("pair_style: table linear 1000\n",
          "pair_style: table linear 1000\n      lammps: [\"{campaign}/lmp\"]\n",
          "campaign.yaml:19:15: stage 'explore': lammps: '{campaign}' is "
          "replaced in the commands of operators and not in inputs; write a "
          "full path\n"),
    EDIT ("{potential}/pair", "{potentail}/pair",
          "campaign.yaml:19:19: stage 'explore': pair_coeff: unknown "
          "placeholder '{potentail}'; there is {potential}, {elements}\n"),
    EDIT ("\"* * {potential}/pair.table AR\"", "* * {potential}/pair.table AR",
          "campaign.yaml:19:20: did not find expected alphabetic or numeric "
          "character while scanning an alias; write pair_coeff: \"* * "
          "{potential}/pair.table AR\"\n"),
    EDIT ("\"{model}\"", "\"{modle}\"",
          "campaign.yaml:36:38: unknown placeholder '{modle}'; did you mean "
          "'model'?\n"),
    EDIT ("\"{model}\"", "{model}",
          "campaign.yaml:36:38: command: without quotes YAML takes {model} for "
          "a mapping; write \"{model}\"\n"),
    EDIT ("\"{model}\"", "--m={model}",
          "campaign.yaml:36:42: did not find expected ',' or ']' while parsing "
          "a flow sequence; write command: [\"{campaign}/train.sh\", "
          "\"--m={model}\", \"{datasets}\"]\n"),
    EDIT ("\"{model}\"", "\"--m={model\"",
          "campaign.yaml:36:38: '--m={model': column 5: '{' is not closed; "
          "write {model}, or {{ for a brace\n"),
    EDIT ("\"{model}\"", "\"${model}\"",
          "campaign.yaml:36:38: warning: '${model}' is a $ and the value of "
          "the placeholder; write {model}, or ${{model}} for the variable of a "
          "shell\n"),
    EDIT ("\"{model}\"", "\"${HOME}\"",
          "campaign.yaml:36:38: unknown placeholder '{HOME}'; for the variable "
          "of a shell write $HOME or ${{HOME}}\n"),
    EDIT ("\"{model}\"", "\"{ model }\"",
          "campaign.yaml:36:38: warning: '{ model }' is text as it stands; "
          "write {model} for the placeholder\n"),
    EDIT ("\"{model}\"", "\"{{model}}\"",
          "campaign.yaml:36:38: warning: '{{model}}' is text as it stands; "
          "write {model} for the placeholder\n"),
    EDIT ("\"{model}\"", "\"{outputs.potental}\"",
          "campaign.yaml:36:38: unknown placeholder '{outputs.potental}'; did "
          "you mean 'outputs.potential'?\n"),
    EDIT ("\"{model}\"", "\"{@model}\"",
          "campaign.yaml:36:38: placeholder '{@model}' is the file of a list, "
          "and 'model' is none; write {model}\n"),
    EDIT ("\"{datasets}\"", "\"{@datset}\"",
          "campaign.yaml:36:49: unknown placeholder '{@datset}'; did you mean "
          "'@datasets'?\n"),
    EDIT ("\"{datasets}\"", "\"{datasets}\", \">\", log",
          "campaign.yaml:36:63: warning: '>' is an argument like others, since "
          "no shell reads a command; write [sh, -c, '... > ...'] if it is "
          "meant for one\n"),
    EDIT ("\"{datasets}\"", "\"{datasets}\", \"|\", tee",
          "campaign.yaml:36:63: warning: '|' is an argument like others, since "
          "no shell reads a command; write [sh, -c, '... | ...'] if it is "
          "meant for one\n"),
    EDIT ("\"{datasets}\"", "\"{datasets}\", $HOME",
          "campaign.yaml:36:63: warning: '$HOME' is an argument like others, "
          "since no shell reads a command; write [sh, -c, '... $HOME ...'] if "
          "it is meant for one\n"),
    EDIT ("[\"{campaign}/train.sh\", \"{model}\", \"{datasets}\"]",
          "\"{campaign}/train.sh {model}\"",
          "campaign.yaml:36:14: command: got '{campaign}/train.sh {model}'; "
          "write a list, [program, argument, ...]; there is no shell to split "
          "words\n"),
    EDIT (
        "      datasets: {type: frames, list: true, from: all.label.dataset}",
        "      datasets: {type: frames, list: true, from: all.label.datset}",
        "campaign.yaml:34:50: input 'datasets' of stage 'train': stage 'label' "
        "(pair.label) has no output 'datset'; did you mean 'dataset'?\n"),
    EDIT (
        "from: all.label.dataset", "from: all.lable.dataset, default: []",
        "campaign.yaml:34:50: stage 'train' needs the input 'datasets' (list "
        "of frames), and there is no 'all.lable.dataset'; bind it in with:\n"),
    EDIT (
        "from: all.label.dataset", "from: all.label.datasets, default: []",
        "campaign.yaml:34:50: input 'datasets' of stage 'train': stage 'label' "
        "(pair.label) has no output 'datasets'; did you mean 'dataset'?\n"),
    EDIT (
        "from: all.label.dataset", "from: all.label.relaxed",
        "campaign.yaml:34:50: input 'datasets' of stage 'train' comes from "
        "'all.label.relaxed', and operator 'pair.label' has no such output "
        "(there is dataset, frame, count, proceed); declare it and make it, or "
        "bind the input in with:\n"),
    EDIT ("from: all.label.dataset", "from: select.levels_used",
          "campaign.yaml:34:50: input 'datasets' of stage 'train': stage "
          "'select' (model_devi.select) has no output 'levels_used'; there is "
          "frames, provenance, lists, accurate, candidate, failed, invalid, "
          "total, candidates, selected, max_deviation, deviation_median, lost, "
          "missing_tasks, absent_files, cut_files, ...\n"),
    EDIT ("      pick: {quota: 8}\n",
          "      pick: {quota: 8}\n      trajectories: explore.frames\n",
          "campaign.yaml:25:21: input 'trajectories' of stage 'select' takes "
          "list of file and 'explore.frames' is list of int; bind something of "
          "that type\n"),
    EDIT ("  select:\n    uses", "  data:\n    uses",
          "campaign.yaml:20:3: 'data' cannot be the name of a stage; use at "
          "most 32 of a-z, 0-9 and _, beginning with a letter, and not "
          "dataset, config, kept, calls, data, previous, all or "
          "latest\n"
          "campaign.yaml:27:20: input 'frames' of stage 'label': there is no "
          "stage 'select'; there is train, explore, data, label\n"
          "campaign.yaml:28:14: 'when' of stop: there is no stage 'select'; "
          "there is train, explore, data, label\n"),
    EDITS ("  explore:\n    uses: lammps.explore\n    with:\n",
           "  Explore-1:\n    uses: lammps.explore\n    with:\n",
           "pick: {quota: 8}\n",
           "pick: {quota: 8}\n      trajectories: Explore-1.trajectory\n      "
           "forces: "
           "Explore-1.forces\n      frames_expected: "
           "Explore-1.frames_expected\n      system: Explore-1.system\n",
           "campaign.yaml:10:3: 'Explore-1' cannot be the name of a stage; use "
           "at most 32 of a-z, 0-9 and _, beginning with a letter, and not "
           "dataset, config, kept, calls, data, previous, all or "
           "latest\n"),
    EDIT ("0.9, iter", "0.9 && true, iter",
          "campaign.yaml:28:14: 'when' of stop: column 23: '&' means nothing; "
          "write and\n"),
    EDIT ("0.9, iter", "0.9 | 1, iter",
          "campaign.yaml:28:14: 'when' of stop: column 23: '|' means nothing; "
          "write or\n"),
    EDIT ("accurate > 0.9", "accurate > 95%",
          "campaign.yaml:28:14: 'when' of stop: column 21: '%' means nothing "
          "here; write 0.95 for 95 %\n"),
    EDIT ("accurate > 0.9", "accurate = 0.9",
          "campaign.yaml:28:14: 'when' of stop: column 17: '=' alone; compare "
          "with ==\n"),
    EDIT ("accurate >", "acurate >",
          "campaign.yaml:28:14: 'when' of stop: stage 'select' "
          "(model_devi.select) has no output 'acurate'; did you mean "
          "'accurate'?\n"),
    EDIT ("    task: {cores: 1, memory: 1GiB, walltime: 10m}", "    retry: 3",
          "campaign.yaml:9:12: retry: got '3'; say which outcome is tried how "
          "often: {failed: 3}\n"),
    EDIT ("    task: {cores: 1, memory: 1GiB, walltime: 10m}",
          "    retry: {timout: 3}",
          "campaign.yaml:9:13: unknown outcome 'timout' in retry; did you mean "
          "'timeout'?\n"),
    EDIT ("models: 4\n", "models: 4\nmodels: 4\n",
          "campaign.yaml:5:1: key 'models' was given before, in line 4; remove "
          "one\n"),
    EDIT ("elements: [Ar]", "elements: [Ar",
          "campaign.yaml:4:7: did not find expected ',' or ']' while parsing a "
          "flow sequence that begins in line 3; close the list with ']'\n"),
    EDIT ("type: dir", "type: directory",
          "campaign.yaml:35:33: unknown type 'directory'; there is int, float, "
          "string, bool, duration, bytes, list, map, any, file, dir, frames, "
          "npy\n"),
    EDIT ("dump_every: 10", "dump_every: 2000",
          "campaign.yaml:17:19: stage 'explore': dump_every: no frame is "
          "written in 1000 steps; make it at most that\n"),
    EDIT ("{temperature: [60, 90]}", "{temperature: 60}",
          "campaign.yaml:15:31: input 'for_each' of stage 'explore': "
          "temperature: expected list of float, got '60'; write a list, [a, b, "
          "...]\n"),
    EDIT ("{temperature: [60, 90]}", "{temperature: [60, hot]}",
          "campaign.yaml:15:36: input 'for_each' of stage 'explore': "
          "temperature: expected float, got 'hot'; write a number\n"),
    EDIT ("{temperature: [60, 90]}", "{temperature: []}",
          "campaign.yaml:15:17: stage 'explore': for_each.temperature: there "
          "are no values; write [300, 600]\n"),
    EDIT ("{temperature: [60, 90]}", "[60, 90]",
          "campaign.yaml:15:17: input 'for_each' of stage 'explore': expected "
          "map, got a list; write a mapping, {key: value, ...}\n"),
    EDIT ("      dump_every: 10\n",
          "      dump_every: 10\n      runs: [{step: 50}]\n",
          "campaign.yaml:18:15: input 'runs' of stage 'explore': unknown key "
          "'step'; did you mean 'steps'?\n"),
    EDIT ("      dump_every: 10\n",
          "      dump_every: 10\n      runs: [{temperature: [60]}]\n",
          "campaign.yaml:18:15: input 'runs' of stage 'explore': unknown key "
          "'temperature'; there is systems, for_each, replicas, steps, "
          "dump_every, input\n"),
    EDIT ("      dump_every: 10\n",
          "      dump_every: 10\n      runs: [{for_each: {temperature: 60}}, "
          "{steps: many}]\n",
          "campaign.yaml:18:39: input 'runs' of stage 'explore': "
          "for_each.temperature: expected list of float, got '60'; write a "
          "list, [a, b, ...]\n"
          "campaign.yaml:18:53: input 'runs' of stage 'explore': steps: "
          "expected int, got 'many'; write a whole number\n"),
    EDIT ("      dump_every: 10\n",
          "      dump_every: 10\n      runs: {steps: 50}\n",
          "campaign.yaml:18:13: input 'runs' of stage 'explore': expected list "
          "of map, got a mapping; write a list, [a, b, ...]\n"),
    EDIT ("      dump_every: 10\n", "      dump_every: 10\n      runs: [50]\n",
          "campaign.yaml:18:14: input 'runs' of stage 'explore': expected map, "
          "got '50'; write {systems: ..., for_each: ..., replicas: ..., steps: "
          "..., dump_every: ..., input: ...}\n"),
    EDIT ("levels: {force: [0.1, 0.3]}",
          "levels: {force: [0.1, 0.3], relative: {forces: 0.2}}",
          "campaign.yaml:23:46: input 'levels.relative' of stage 'select': "
          "unknown key 'forces'; did you mean 'force'?\n"),
    EDIT ("levels: {force: [0.1, 0.3]}",
          "levels: {force: [0.1, 0.3], adaptive: {force: {count: many}}}",
          "campaign.yaml:23:61: input 'levels.adaptive' of stage 'select': "
          "force.count: expected int, got 'many'; write a whole number\n"),
    EDIT ("uses: pair.label\n    with: {",
          "uses: qe.label\n    with: {input: pw.in, pw: [sh], pseudo_dir: "
          "/nowhere, pseudopotentials: {Ar: [Ar.UPF]}, ",
          "campaign.yaml:27:81: input 'pseudopotentials' of stage 'label': Ar: "
          "expected string, got a list; write text\n"),
    EDIT ("uses: pair.label\n    with: {",
          "uses: qe.label\n    with: {input: pw.in, pw: [sh], pseudo_dir: "
          "/nowhere, pseudopotentials: {AR: Ar.UPF}, ",
          "campaign.yaml:27:76: stage 'label': pseudopotentials: 'AR' is no "
          "element; write {Si: FILE}\n"),
    EDIT ("{temperature: [60, 90]}", "{seed: [60, 90]}",
          "campaign.yaml:13:14: stage 'explore': input: md.in:1: nothing sets "
          "the variable 'temperature'; write for_each: {temperature: [...]} in "
          "the stage, or `variable temperature equal ...` above\n"
          "campaign.yaml:15:17: stage 'explore': for_each: the variable 'seed' "
          "is set by Fanfold; choose another name\n"),
};

#endif /* !TESTS_MISTAKES_H */
