# signature - types, values, checks, expressions

noinst_LIBRARIES += %D%/libsignature.a
floor_libs += %D%/libsignature.a
%C%_libsignature_a_SOURCES =
# End of %C%_libsignature_a_SOURCES
