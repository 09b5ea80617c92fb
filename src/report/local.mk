# report - tables, charts, the HTML report

noinst_LIBRARIES += %D%/libreport.a
floor_libs += %D%/libreport.a
%C%_libreport_a_SOURCES =
# End of %C%_libreport_a_SOURCES
