# doc - manual pages and the architecture

dist_man_MANS =
EXTRA_DIST += %D%/architecture.md
