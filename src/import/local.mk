# import - campaigns of other programs as campaigns of Fanfold

noinst_LIBRARIES += %D%/libimport.a
floor_libs += %D%/libimport.a
%C%_libimport_a_SOURCES = \
	%D%/batch_flags.c \
	%D%/batch_flags.h \
	%D%/cp2k_text.c \
	%D%/document.c \
	%D%/document.h \
	%D%/dpgen.c \
	%D%/dpgen.h \
	%D%/dpgen2.c \
	%D%/dpgen2.h \
	%D%/dpgen2_exploration.c \
	%D%/dpgen2_keys.c \
	%D%/dpgen2_keys.h \
	%D%/dpgen2_labelling.c \
	%D%/dpgen_exploration.c \
	%D%/dpgen_keys.c \
	%D%/dpgen_keys.h \
	%D%/dpgen_labelling.c \
	%D%/dpgen_selection.c \
	%D%/dpgen_training.c \
	%D%/draft.c \
	%D%/draft.h \
	%D%/draft_write.c \
	%D%/draft_write.h \
	%D%/exploration.c \
	%D%/exploration.h \
	%D%/key_report.c \
	%D%/key_report.h \
	%D%/label_texts.c \
	%D%/label_texts.h \
	%D%/labelling.c \
	%D%/labelling.h \
	%D%/lammps_lines.c \
	%D%/lammps_lines.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/machine_keys.c \
	%D%/machine_keys.h \
	%D%/machine_profile.c \
	%D%/machine_profile.h \
	%D%/machine_resources.c \
	%D%/md_template.c \
	%D%/md_template.h \
	%D%/outline.c \
	%D%/outline.h \
	%D%/program_words.c \
	%D%/program_words.h \
	%D%/recipe.c \
	%D%/recipe.h \
	%D%/run_dir.c \
	%D%/run_dir.h \
	%D%/run_labels.c \
	%D%/run_labels.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/template_runs.c \
	%D%/template_runs.h \
	%D%/training_input.c \
	%D%/training_input.h
# End of %C%_libimport_a_SOURCES
