# report - tables, charts, the HTML report

noinst_LIBRARIES += %D%/libreport.a
floor_libs += %D%/libreport.a
%C%_libreport_a_SOURCES = \
	%D%/chain_view.c \
	%D%/chain_view.h \
	%D%/findings_text.c \
	%D%/findings_text.h \
	%D%/plan_text.c \
	%D%/plan_view.c \
	%D%/plan_view.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/status_text.c \
	%D%/status_view.c \
	%D%/status_view.h \
	%D%/text_table.c \
	%D%/text_table.h
# End of %C%_libreport_a_SOURCES
