# signature - types, values, checks, expressions

noinst_LIBRARIES += %D%/libsignature.a
floor_libs += %D%/libsignature.a
%C%_libsignature_a_SOURCES = \
	%D%/artifact_record.c \
	%D%/artifact_record.h \
	%D%/container.c \
	%D%/container.h \
	%D%/expression.h \
	%D%/expression_eval.c \
	%D%/expression_parse.c \
	%D%/expression_tree.h \
	%D%/expression_types.c \
	%D%/frame_slice.c \
	%D%/frame_slice.h \
	%D%/group.c \
	%D%/group.h \
	%D%/group_fold.c \
	%D%/operator.c \
	%D%/operator.h \
	%D%/operator_uses.c \
	%D%/operator_uses.h \
	%D%/output_tree.c \
	%D%/output_tree.h \
	%D%/outputs.c \
	%D%/outputs.h \
	%D%/programs.c \
	%D%/programs.h \
	%D%/resources.c \
	%D%/resources.h \
	%D%/script.c \
	%D%/script.h \
	%D%/section.c \
	%D%/section.h \
	%D%/function_compare.c \
	%D%/function_compare.h \
	%D%/task_uses.c \
	%D%/task_uses.h \
	%D%/sizes.c \
	%D%/sizes.h \
	%D%/template.c \
	%D%/template.h \
	%D%/type.c \
	%D%/type.h \
	%D%/value.c \
	%D%/value.h
# End of %C%_libsignature_a_SOURCES
