# base - the ground: errors, text, files, processes, JSON, YAML

noinst_LIBRARIES += %D%/libbase.a
floor_libs += %D%/libbase.a
%C%_libbase_a_SOURCES = \
	%D%/alloc.c \
	%D%/alloc.h \
	%D%/arena.c \
	%D%/arena.h \
	%D%/clock.h \
	%D%/compiler.h \
	%D%/digest.h \
	%D%/error.c \
	%D%/error.h \
	%D%/file.h \
	%D%/hash.h \
	%D%/json.h \
	%D%/problems.h \
	%D%/process.h \
	%D%/strbuf.c \
	%D%/strbuf.h \
	%D%/strvec.c \
	%D%/strvec.h \
	%D%/units.h \
	%D%/yaml_tree.h
# End of %C%_libbase_a_SOURCES
