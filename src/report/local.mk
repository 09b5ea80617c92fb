# report - tables, the progress line, the live screen, the page of figures

noinst_LIBRARIES += %D%/libreport.a
floor_libs += %D%/libreport.a
%C%_libreport_a_SOURCES = \
	%D%/failure_view.c \
	%D%/failure_view.h \
	%D%/group_view.c \
	%D%/group_view.h \
	%D%/inputs_view.c \
	%D%/inputs_view.h \
	%D%/live_lines.c \
	%D%/live_view.c \
	%D%/live_view.h \
	%D%/node_view.c \
	%D%/node_view.h \
	%D%/page/calibration_figures.c \
	%D%/page/figure.c \
	%D%/page/figure.h \
	%D%/page/figure_svg.c \
	%D%/page/figure_svg.h \
	%D%/page/figure_tsv.c \
	%D%/page/figure_tsv.h \
	%D%/page/html_text.c \
	%D%/page/html_text.h \
	%D%/page/page.c \
	%D%/page/page.h \
	%D%/page/page_html.c \
	%D%/page/page_html.h \
	%D%/page/record_sections.c \
	%D%/page/report_facts.c \
	%D%/page/report_facts.h \
	%D%/page/science_sections.c \
	%D%/page/timeline.c \
	%D%/page/timeline.h \
	%D%/page/timeline_section.c \
	%D%/notice_view.c \
	%D%/notice_view.h \
	%D%/path_change.c \
	%D%/path_change.h \
	%D%/plan_text.c \
	%D%/plan_view.c \
	%D%/plan_view.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/redo_view.c \
	%D%/redo_view.h \
	%D%/request_view.c \
	%D%/request_view.h \
	%D%/reuse_view.c \
	%D%/reuse_view.h \
	%D%/scheduler_view.c \
	%D%/scheduler_view.h \
	%D%/science_view.c \
	%D%/science_view.h \
	%D%/screen.c \
	%D%/screen.h \
	%D%/screen_row.c \
	%D%/screen_row.h \
	%D%/status_text.c \
	%D%/status_view.c \
	%D%/status_view.h \
	%D%/table.c \
	%D%/table.h \
	%D%/task_watch.c \
	%D%/task_watch.h \
	%D%/time_left.c \
	%D%/time_left.h \
	%D%/unneeded.c \
	%D%/unneeded.h \
	%D%/usage_view.c \
	%D%/usage_view.h
# End of %C%_libreport_a_SOURCES
