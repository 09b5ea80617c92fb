# reduce - fanfold-reduce, the MPI program; the only user of mpi.h
#
# What can be had without MPI is a library, a floor below the commands: there a
# rank is alone (exchange_alone.c), which the program's exchange.c replaces.

noinst_LIBRARIES += %D%/libreduce.a
floor_libs += %D%/libreduce.a
%C%_libreduce_a_SOURCES = \
	%D%/batch.c \
	%D%/batch.h \
	%D%/batch_cover.c \
	%D%/batch_d_optimal.c \
	%D%/batch_pick.c \
	%D%/batch_pick.h \
	%D%/batch_rows.c \
	%D%/batch_rows.h \
	%D%/candidate_pool.h \
	%D%/exchange.h \
	%D%/exchange_alone.c \
	%D%/feature_places.c \
	%D%/feature_places.h \
	%D%/found_health.c \
	%D%/found_health.h \
	%D%/found_levels.c \
	%D%/found_levels.h \
	%D%/health_pass.c \
	%D%/health_pass.h \
	%D%/inspect.c \
	%D%/inspect.h \
	%D%/labelled.c \
	%D%/labelled.h \
	%D%/lists.c \
	%D%/lists.h \
	%D%/pass.c \
	%D%/pass.h \
	%D%/passes.c \
	%D%/passes.h \
	%D%/probe.c \
	%D%/probe.h \
	%D%/provenance.c \
	%D%/provenance.h \
	%D%/result.c \
	%D%/result.h \
	%D%/scan.c \
	%D%/scan.h \
	%D%/selection_data.c \
	%D%/selection_data.h \
	%D%/selection_input.c \
	%D%/selection_input.h \
	%D%/share.c \
	%D%/share.h \
	%D%/structure.c \
	%D%/structure.h
# End of %C%_libreduce_a_SOURCES

if HAVE_MPI
bin_PROGRAMS += fanfold-reduce
fanfold_reduce_SOURCES = \
	%D%/exchange.c \
	%D%/main.c
# End of fanfold_reduce_SOURCES
fanfold_reduce_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
fanfold_reduce_LDADD = \
	%D%/libreduce.a \
	src/selection/libselection.a src/signature/libsignature.a \
	src/space/libspace.a src/formats/libformats.a src/base/libbase.a \
	$(outside_libs) $(MPI_LIBS)
endif
