# reduce - fanfold-reduce, the MPI program; the only user of mpi.h

if HAVE_MPI
bin_PROGRAMS += fanfold-reduce
fanfold_reduce_SOURCES = \
	%D%/exchange.c \
	%D%/exchange.h \
	%D%/main.c \
	%D%/plan_file.c \
	%D%/plan_file.h \
	%D%/result.c \
	%D%/result.h \
	%D%/scan.c \
	%D%/scan.h \
	%D%/share.c \
	%D%/share.h
# End of fanfold_reduce_SOURCES
fanfold_reduce_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
fanfold_reduce_LDADD = \
	src/selection/libselection.a src/signature/libsignature.a \
	src/space/libspace.a src/formats/libformats.a src/base/libbase.a \
	$(outside_libs) $(MPI_LIBS)
endif
