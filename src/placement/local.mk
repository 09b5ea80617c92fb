# placement - node shapes, slots, binding

noinst_LIBRARIES += %D%/libplacement.a
floor_libs += %D%/libplacement.a
%C%_libplacement_a_SOURCES =
# End of %C%_libplacement_a_SOURCES
