# examples/silicon - the quick start: a campaign and the potential it trains
#
# Without KIM's headers there is no potential to run, and of all this only the
# campaign's files are left.

silicon_campaign = \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/diamond.data \
	%D%/data/held_out.extxyz \
	%D%/data/initial.extxyz \
	%D%/data/make-data \
	%D%/md.in \
	%D%/pw.in \
	%D%/site.yaml
# End of silicon_campaign

# What the trainer and the KIM model have in common.
silicon_model = \
	%D%/potential/descriptor.c \
	%D%/potential/descriptor.h \
	%D%/potential/linear_model.c \
	%D%/potential/linear_model.h \
	%D%/potential/neighbourhood.c \
	%D%/potential/neighbourhood.h \
	%D%/potential/problem.c \
	%D%/potential/problem.h
# End of silicon_model

silicon_training = \
	$(silicon_model) \
	%D%/potential/extxyz_frames.c \
	%D%/potential/extxyz_frames.h \
	%D%/potential/frame_terms.c \
	%D%/potential/frame_terms.h \
	%D%/potential/periodic_search.c \
	%D%/potential/periodic_search.h \
	%D%/potential/ridge_fit.c \
	%D%/potential/ridge_fit.h \
	%D%/potential/training.c \
	%D%/potential/training.h
# End of silicon_training

example_campaigns += $(silicon_campaign)
EXTRA_DIST += %D%/potential/kim_model.c

if HAVE_KIM
noinst_PROGRAMS += %D%/potential/fit_linear
example_programs += \
	%D%/potential/fit_linear \
	%D%/potential/libkim-api-portable-model.so
CLEANFILES += %D%/potential/libkim-api-portable-model.so
TESTS += %D%/potential/fit-linear.t
endif
dist_check_SCRIPTS += %D%/potential/fit-linear.t

%C%_potential_fit_linear_SOURCES = %D%/potential/fit_linear.c $(silicon_training)
%C%_potential_fit_linear_LDADD =

# By hand: a file to be loaded by LAMMPS is neither a library to link to nor
# one to install, and the sanitizers would have to be in LAMMPS first.
silicon_library = \
	$(srcdir)/%D%/potential/kim_model.c \
	$(srcdir)/%D%/potential/descriptor.c \
	$(srcdir)/%D%/potential/linear_model.c \
	$(srcdir)/%D%/potential/neighbourhood.c \
	$(srcdir)/%D%/potential/problem.c
# End of silicon_library

%D%/potential/libkim-api-portable-model.so: $(silicon_library) $(silicon_model)
	$(AM_V_CCLD)$(MKDIR_P) %D%/potential && \
	$(CC) $(WARNING_FLAGS) $(KIM_CFLAGS) $(CPPFLAGS) $(CFLAGS) \
		-fPIC -fvisibility=hidden -shared $(LDFLAGS) -o $@ \
		$(silicon_library) $(KIM_LIBS) -lm

if HAVE_CMOCKA
silicon_tests = \
	%D%/potential/test_descriptor.t \
	%D%/potential/test_frames.t \
	%D%/potential/test_linear.t
# End of silicon_tests

EXTRA_PROGRAMS += $(silicon_tests)
TESTS += $(silicon_tests)

%C%_potential_test_descriptor_t_SOURCES = \
	%D%/potential/random_frames.h \
	%D%/potential/test_descriptor.c \
	$(silicon_training)
%C%_potential_test_descriptor_t_LDADD = $(CMOCKA_LIBS)
%C%_potential_test_frames_t_SOURCES = \
	%D%/potential/test_frames.c \
	%D%/potential/extxyz_frames.c \
	%D%/potential/problem.c
%C%_potential_test_frames_t_LDADD = $(CMOCKA_LIBS)
%C%_potential_test_linear_t_SOURCES = \
	%D%/potential/random_frames.h \
	%D%/potential/test_linear.c \
	$(silicon_training)
%C%_potential_test_linear_t_LDADD = $(CMOCKA_LIBS)
endif
