# formats - one file per file format

noinst_LIBRARIES += %D%/libformats.a
floor_libs += %D%/libformats.a
%C%_libformats_a_SOURCES =
# End of %C%_libformats_a_SOURCES
