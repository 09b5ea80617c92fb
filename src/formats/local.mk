# formats - one file per file format

noinst_LIBRARIES += %D%/libformats.a
floor_libs += %D%/libformats.a
%C%_libformats_a_SOURCES = \
	%D%/deepmd_dataset.c \
	%D%/deepmd_dataset.h \
	%D%/deviation_file.c \
	%D%/deviation_file.h \
	%D%/deviation_header.c \
	%D%/deviation_header.h \
	%D%/deviation_layout.c \
	%D%/deviation_layout.h \
	%D%/dump_steps.c \
	%D%/dump_steps.h \
	%D%/element_mass.c \
	%D%/extxyz.c \
	%D%/extxyz.h \
	%D%/extxyz_header.c \
	%D%/extxyz_header.h \
	%D%/frame.c \
	%D%/frame.h \
	%D%/lammps_cell.c \
	%D%/lammps_data.c \
	%D%/lammps_data.h \
	%D%/lammps_dump.c \
	%D%/lammps_dump.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/npy.c \
	%D%/npy.h \
	%D%/number.c \
	%D%/number.h \
	%D%/packed_file.c \
	%D%/packed_file.h \
	%D%/qe_xml.c \
	%D%/qe_xml.h \
	%D%/row_order.c \
	%D%/row_order.h \
	%D%/unpacker.c \
	%D%/unpacker.h
# End of %C%_libformats_a_SOURCES
