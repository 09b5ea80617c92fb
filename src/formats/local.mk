# formats - one file per file format

noinst_LIBRARIES += %D%/libformats.a
floor_libs += %D%/libformats.a
%C%_libformats_a_SOURCES = \
	%D%/atom_vectors.c \
	%D%/atom_vectors.h \
	%D%/binary_rows.c \
	%D%/binary_rows.h \
	%D%/binary_search.c \
	%D%/binary_search.h \
	%D%/deepmd_dataset.c \
	%D%/deepmd_dataset.h \
	%D%/deepmd_frames.c \
	%D%/deepmd_frames.h \
	%D%/deviation_file.c \
	%D%/deviation_file.h \
	%D%/deviation_header.c \
	%D%/deviation_header.h \
	%D%/deviation_lanes.c \
	%D%/deviation_lanes.h \
	%D%/deviation_lanes_avx512.c \
	%D%/deviation_layout.c \
	%D%/deviation_layout.h \
	%D%/dump_head.c \
	%D%/dump_head.h \
	%D%/dump_rows.c \
	%D%/dump_rows.h \
	%D%/dump_rows_avx2.c \
	%D%/dump_rows_avx512.c \
	%D%/dump_steps.c \
	%D%/dump_steps.h \
	%D%/dump_vectors.c \
	%D%/dump_words.h \
	%D%/element_mass.c \
	%D%/extxyz.c \
	%D%/extxyz.h \
	%D%/extxyz_header.c \
	%D%/extxyz_header.h \
	%D%/extxyz_search.c \
	%D%/extxyz_search.h \
	%D%/frame.c \
	%D%/frame.h \
	%D%/frame_search.c \
	%D%/frame_search.h \
	%D%/lammps_binary.c \
	%D%/lammps_binary.h \
	%D%/lammps_cell.c \
	%D%/lammps_data.c \
	%D%/lammps_data.h \
	%D%/lammps_dump.c \
	%D%/lammps_dump.h \
	%D%/lammps_dump_reader.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/npy.c \
	%D%/npy.h \
	%D%/npy_rows.c \
	%D%/npy_rows.h \
	%D%/number.c \
	%D%/number.h \
	%D%/packed_file.c \
	%D%/packed_file.h \
	%D%/qe_xml.c \
	%D%/qe_xml.h \
	%D%/row_order.c \
	%D%/row_order.h \
	%D%/trajectory_file.c \
	%D%/trajectory_file.h \
	%D%/unpacker.c \
	%D%/unpacker.h \
	%D%/vector_dump.c \
	%D%/vector_extxyz.c \
	%D%/vector_npy.c \
	%D%/vector_reader.c \
	%D%/vector_reader.h \
	%D%/vector_source.h
# End of %C%_libformats_a_SOURCES
