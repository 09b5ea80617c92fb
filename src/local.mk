# fanfold - the program; never linked to MPI
