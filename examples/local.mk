# examples - campaigns to start from
