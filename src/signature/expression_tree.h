/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_tree.h - what the parser makes and the evaluator walks */
#ifndef SIGNATURE_EXPRESSION_TREE_H
#define SIGNATURE_EXPRESSION_TREE_H

#include <stddef.h>

struct json;

enum expression_kind {
    EXPRESSION_LITERAL,
    EXPRESSION_NAME,
    EXPRESSION_OR,
    EXPRESSION_AND,
    EXPRESSION_NOT,
    EXPRESSION_EQUAL,
    EXPRESSION_UNEQUAL,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_GREATER,
    EXPRESSION_GREATER_EQUAL,
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_NEGATE,
    EXPRESSION_MIN, /* functions from here on */
    EXPRESSION_MAX,
    EXPRESSION_MEAN,
    EXPRESSION_SUM,
    EXPRESSION_COUNT,
    EXPRESSION_ABS,
    EXPRESSION_DEFAULT,
};

struct expression {
    enum expression_kind kind;
    size_t column;            /* from 1: of the operator, name or literal */
    int height;               /* 1 for a leaf */
    struct json *literal;     /* EXPRESSION_LITERAL */
    char *name;               /* EXPRESSION_NAME */
    struct expression **args; /* operands, or arguments of a function */
    size_t n_args;
    size_t alloc;
};

#endif /* !SIGNATURE_EXPRESSION_TREE_H */
