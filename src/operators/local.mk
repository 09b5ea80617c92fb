# operators - the built-in operators

noinst_LIBRARIES += %D%/liboperators.a
floor_libs += %D%/liboperators.a
%C%_liboperators_a_SOURCES = \
	%D%/builtin.h \
	%D%/code_run.c \
	%D%/code_run.h \
	%D%/command.c \
	%D%/lammps/ending.c \
	%D%/lammps/ending.h \
	%D%/lammps/explore.c \
	%D%/lammps/explore_run.c \
	%D%/lammps/input.c \
	%D%/lammps/input.h \
	%D%/lammps/rules.c \
	%D%/lammps/rules.h \
	%D%/lammps/slices.c \
	%D%/lammps/slices.h \
	%D%/lammps/start.c \
	%D%/lammps/start.h \
	%D%/lammps/whole_frames.c \
	%D%/lammps/whole_frames.h \
	%D%/model_devi/select.c \
	%D%/qe/ending.c \
	%D%/qe/ending.h \
	%D%/qe/input.c \
	%D%/qe/input.h \
	%D%/qe/label.c \
	%D%/qe/label_run.c \
	%D%/qe/namelist.c \
	%D%/qe/namelist.h \
	%D%/step_task.c \
	%D%/step_task.h \
	%D%/table.c \
	%D%/table.h
# End of %C%_liboperators_a_SOURCES
