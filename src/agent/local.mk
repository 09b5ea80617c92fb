# agent - runs bundles on a node

noinst_LIBRARIES += %D%/libagent.a
floor_libs += %D%/libagent.a
%C%_libagent_a_SOURCES =
# End of %C%_libagent_a_SOURCES
