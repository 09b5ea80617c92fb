# examples - campaigns to start from

EXTRA_DIST += %D%/silicon
