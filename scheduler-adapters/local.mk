# scheduler-adapters - slurm, pbs, local, sim behind adapter.h

noinst_LIBRARIES += %D%/libadapters.a
floor_libs += %D%/libadapters.a
%C%_libadapters_a_SOURCES =
# End of %C%_libadapters_a_SOURCES
