# examples - campaigns to start from

include examples/silicon/local.mk
