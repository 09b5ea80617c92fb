/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_tree.h - what the parser makes and the evaluator walks */
#ifndef SIGNATURE_EXPRESSION_TREE_H
#define SIGNATURE_EXPRESSION_TREE_H

struct node;
struct scope;

/* Bounds the stack of the parser and of the evaluator, and the arguments. */
enum { NESTING_MAX = 64 };

/* From the loosest to the tightest. */
enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
    LEVEL_CALL, /* functions */
};

/* An operator or a function. */
struct operation {
    const char *word;
    enum level level;

    /* A new reference, or NULL with scope->err. */
    struct json *(*eval) (const struct scope *scope, const struct node *node);
    int detail;         /* for 'eval' */
    size_t least, most; /* arguments of a function */
};

/* The wordless row ends it. */
extern const struct operation expression_operations[];

/* A literal, a name, or an operation on what 'args' begins. */
struct node {
    size_t column; /* from 1: of the operator, name or literal */
    int height;    /* 1 for a leaf */
    struct json *literal;
    const char *name;
    const struct operation *operation;
    struct node *args, **end; /* where the next argument goes */
    size_t n_args;
    struct node *next; /* argument of the same operation */
};

struct expression {
    struct arena *arena;   /* of the nodes */
    struct json *literals; /* an array: holds the references */
    struct node *root;
};

#endif /* !SIGNATURE_EXPRESSION_TREE_H */
