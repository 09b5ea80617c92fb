# placement - node shapes, slots, binding

noinst_LIBRARIES += %D%/libplacement.a
floor_libs += %D%/libplacement.a
%C%_libplacement_a_SOURCES = \
	%D%/memory_policy.c \
	%D%/memory_policy.h \
	%D%/node_gpus.c \
	%D%/node_gpus.h \
	%D%/node_shape.c \
	%D%/node_shape.h \
	%D%/place.c \
	%D%/place.h \
	%D%/free_node.c \
	%D%/free_node.h \
	%D%/place_count.c \
	%D%/place_assign.c \
	%D%/place_gpus.c \
	%D%/place_numas.c \
	%D%/place_strict.c \
	%D%/place_rules.c \
	%D%/place_rules.h \
	%D%/slots.c \
	%D%/slots.h \
	%D%/topology.c \
	%D%/topology_file.c \
	%D%/topology_file.h \
	%D%/visible_devices.c \
	%D%/visible_devices.h
# End of %C%_libplacement_a_SOURCES
