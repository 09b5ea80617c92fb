# fanfold - the program; never linked to MPI

bin_PROGRAMS += fanfold
fanfold_SOURCES = %D%/main.c
fanfold_LDADD = $(floor_libs) $(outside_libs)
