# commands - one file per command

noinst_LIBRARIES += %D%/libcommands.a
floor_libs += %D%/libcommands.a
%C%_libcommands_a_SOURCES =
# End of %C%_libcommands_a_SOURCES
