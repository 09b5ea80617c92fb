# engine - journal, decide, act, drivers

noinst_LIBRARIES += %D%/libengine.a
floor_libs += %D%/libengine.a
%C%_libengine_a_SOURCES =
# End of %C%_libengine_a_SOURCES
