# selection - deviation, classes, quotas, draws

noinst_LIBRARIES += %D%/libselection.a
floor_libs += %D%/libselection.a
%C%_libselection_a_SOURCES =
# End of %C%_libselection_a_SOURCES
