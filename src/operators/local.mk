# operators - the built-in operators

noinst_LIBRARIES += %D%/liboperators.a
floor_libs += %D%/liboperators.a
%C%_liboperators_a_SOURCES =
# End of %C%_liboperators_a_SOURCES
