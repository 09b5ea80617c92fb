# arrays - array jobs, bundles, packing, the job script

noinst_LIBRARIES += %D%/libarrays.a
floor_libs += %D%/libarrays.a
%C%_libarrays_a_SOURCES =
# End of %C%_libarrays_a_SOURCES
