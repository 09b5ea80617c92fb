# base - the ground: errors, text, files, processes, JSON, YAML

noinst_LIBRARIES += %D%/libbase.a
floor_libs += %D%/libbase.a
%C%_libbase_a_SOURCES = \
	%D%/alloc.c \
	%D%/alloc.h \
	%D%/cleanup.h \
	%D%/arena.c \
	%D%/arena.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/compiler.h \
	%D%/digest.c \
	%D%/digest.h \
	%D%/digest_cache.c \
	%D%/digest_cache.h \
	%D%/environment.c \
	%D%/environment.h \
	%D%/error.c \
	%D%/error.h \
	%D%/file.c \
	%D%/file.h \
	%D%/file_copy.c \
	%D%/file_copy.h \
	%D%/file_glob.c \
	%D%/file_glob.h \
	%D%/file_system.c \
	%D%/file_system.h \
	%D%/file_tree.c \
	%D%/findings.c \
	%D%/findings.h \
	%D%/harmless.c \
	%D%/harmless.h \
	%D%/hash.c \
	%D%/hash.h \
	%D%/heartbeat.h \
	%D%/json.c \
	%D%/json.h \
	%D%/json_keys.c \
	%D%/json_keys.h \
	%D%/json_parse.c \
	%D%/json_path.c \
	%D%/json_private.h \
	%D%/json_record.c \
	%D%/json_record.h \
	%D%/json_write.c \
	%D%/path.c \
	%D%/path_similar.c \
	%D%/path_similar.h \
	%D%/point.c \
	%D%/point.h \
	%D%/problems.c \
	%D%/problems.h \
	%D%/process.c \
	%D%/process.h \
	%D%/spawn.c \
	%D%/spawn.h \
	%D%/strbuf.c \
	%D%/strbuf.h \
	%D%/strvec.c \
	%D%/strvec.h \
	%D%/tree_look.c \
	%D%/tree_look.h \
	%D%/tree_walk.c \
	%D%/tree_walk.h \
	%D%/units.c \
	%D%/units.h \
	%D%/yaml_alias.c \
	%D%/yaml_alias.h \
	%D%/yaml_node.c \
	%D%/yaml_quote.c \
	%D%/yaml_quote.h \
	%D%/yaml_tree.c \
	%D%/yaml_tree.h \
	%D%/yaml_write.c \
	%D%/yaml_write.h
# End of %C%_libbase_a_SOURCES
