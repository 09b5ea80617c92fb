# operators - the built-in operators

noinst_LIBRARIES += %D%/liboperators.a
floor_libs += %D%/liboperators.a
%C%_liboperators_a_SOURCES = \
	%D%/abacus/input_check.c \
	%D%/abacus/label.c \
	%D%/abacus/label.h \
	%D%/code_ending.c \
	%D%/code_run.c \
	%D%/code_run.h \
	%D%/code_trial.h \
	%D%/command.c \
	%D%/cp2k/data_files.c \
	%D%/cp2k/data_files.h \
	%D%/cp2k/input.c \
	%D%/cp2k/input.h \
	%D%/cp2k/input_doubts.c \
	%D%/cp2k/label.c \
	%D%/cp2k/label.h \
	%D%/cp2k/scan.c \
	%D%/deepmd/backend.c \
	%D%/deepmd/backend.h \
	%D%/deepmd/model.c \
	%D%/deepmd/model.h \
	%D%/deepmd/train.c \
	%D%/deepmd/train.h \
	%D%/deepmd/train_input.c \
	%D%/deepmd/train_input.h \
	%D%/deepmd/train_run.c \
	%D%/deepmd/train_settings.c \
	%D%/deepmd/train_systems.c \
	%D%/deepmd/trial.c \
	%D%/explore/explore.h \
	%D%/explore/prepare.c \
	%D%/explore/rules.c \
	%D%/explore/run.c \
	%D%/explore/runs.c \
	%D%/explore/runs.h \
	%D%/explore/structure.c \
	%D%/gpumd/active.c \
	%D%/gpumd/code.c \
	%D%/gpumd/explore.c \
	%D%/gpumd/gpumd.h \
	%D%/gpumd/run_in.c \
	%D%/gpumd/train.c \
	%D%/kit.h \
	%D%/label/by_element.c \
	%D%/label/by_element.h \
	%D%/label/element_files.c \
	%D%/label/element_files.h \
	%D%/label/label_collect.c \
	%D%/label/label_files.c \
	%D%/label/label_frame.c \
	%D%/label/label_kit.h \
	%D%/label/label_ports.c \
	%D%/label/label_run.c \
	%D%/lammps/deepmd.c \
	%D%/lammps/explore.c \
	%D%/lammps/input.c \
	%D%/lammps/label.c \
	%D%/lammps/lammps.h \
	%D%/lammps/lammps_code.c \
	%D%/lammps/md_check.c \
	%D%/lammps/rerun.c \
	%D%/lammps/template.c \
	%D%/lammps/trial.c \
	%D%/lammps/variables.c \
	%D%/model_devi/select.c \
	%D%/python_error.c \
	%D%/python_error.h \
	%D%/qe/input.c \
	%D%/qe/input_check.c \
	%D%/qe/k_points.c \
	%D%/qe/k_points.h \
	%D%/qe/label.c \
	%D%/qe/qe.h \
	%D%/step_task.c \
	%D%/step_task.h \
	%D%/structures/make.c \
	%D%/structures/make.h \
	%D%/table.c \
	%D%/table.h \
	%D%/template_keys.c \
	%D%/train/train_kit.h \
	%D%/train/train_run.c \
	%D%/vasp/incar_check.c \
	%D%/vasp/incar_doubts.c \
	%D%/vasp/input.c \
	%D%/vasp/label.c \
	%D%/vasp/vasp.h \
	%D%/vasp/vasp_code.c \
	%D%/xtb/label.c \
	%D%/xtb/label.h
# End of %C%_liboperators_a_SOURCES

EXTRA_DIST += %D%/ADDING-ONE.md
