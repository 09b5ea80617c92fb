/* SPDX-License-Identifier: BSD-3-Clause */
/* element.c - what is known of an element by its symbol */
#include "base/base.h"

#include "formats/element.h"

/* Mass: IUPAC 2021, abridged to five digits (T. Prohaska et al., Pure Appl.
 * Chem. 94 (2022) 573).  Covalent radius: B. Cordero et al., Dalton Trans.
 * 2008, 2832, carbon as in sp3; manganese, iron and cobalt of low spin.  Core
 * radius: dpgen2/exploration/selector/distance_conf_filter.py, in bohr
 * times 1.2.  0: not known.
 */
struct element {
    const char *symbol;
    double mass;
    double covalent_radius;
    double core_radius;
};

/* By atomic number, from 1. */
/* clang-format off */
static const struct element elements[] = {
    { "H", 1.008, 0.31, 0.612 }, { "He", 4.0026, 0.28, 0.936 },
    { "Li", 6.94, 1.28, 1.8 }, { "Be", 9.0122, 0.96, 1.56 },
    { "B", 10.81, 0.84, 1.32 }, { "C", 12.011, 0.76, 1.32 },
    { "N", 14.007, 0.71, 1.32 }, { "O", 15.999, 0.66, 1.32 },
    { "F", 18.998, 0.57, 1.26 }, { "Ne", 20.180, 0.58, 1.92 },
    { "Na", 22.990, 1.66, 1.595 }, { "Mg", 24.305, 1.41, 1.87 },
    { "Al", 26.982, 1.21, 1.87 }, { "Si", 28.085, 1.11, 1.76 },
    { "P", 30.974, 1.07, 1.65 }, { "S", 32.06, 1.05, 1.65 },
    { "Cl", 35.45, 1.02, 1.65 }, { "Ar", 39.95, 1.06, 2.09 },
    { "K", 39.098, 2.03, 2.3 }, { "Ca", 40.078, 1.76, 2.3 },
    { "Sc", 44.956, 1.70, 2.0 }, { "Ti", 47.867, 1.60, 2.0 },
    { "V", 50.942, 1.53, 2.0 }, { "Cr", 51.996, 1.39, 1.9 },
    { "Mn", 54.938, 1.39, 1.95 }, { "Fe", 55.845, 1.32, 1.9 },
    { "Co", 58.933, 1.26, 1.9 }, { "Ni", 58.693, 1.24, 1.9 },
    { "Cu", 63.546, 1.32, 1.9 }, { "Zn", 65.38, 1.22, 1.9 },
    { "Ga", 69.723, 1.22, 2.0 }, { "Ge", 72.630, 1.20, 2.0 },
    { "As", 74.922, 1.19, 2.0 }, { "Se", 78.971, 1.20, 2.1 },
    { "Br", 79.904, 1.20, 2.1 }, { "Kr", 83.798, 1.16, 2.3 },
    { "Rb", 85.468, 2.20, 2.5 }, { "Sr", 87.62, 1.95, 2.5 },
    { "Y", 88.906, 1.90, 2.1 }, { "Zr", 91.224, 1.75, 2.1 },
    { "Nb", 92.906, 1.64, 2.1 }, { "Mo", 95.95, 1.54, 2.1 },
    { "Tc", 97, 1.47, 2.1 }, { "Ru", 101.07, 1.46, 2.1 },
    { "Rh", 102.91, 1.42, 2.1 }, { "Pd", 106.42, 1.39, 2.1 },
    { "Ag", 107.87, 1.45, 2.1 }, { "Cd", 112.41, 1.44, 2.1 },
    { "In", 114.82, 1.42, 2.0 }, { "Sn", 118.71, 1.39, 2.0 },
    { "Sb", 121.76, 1.39, 2.0 }, { "Te", 127.60, 1.38, 2.0 },
    { "I", 126.90, 1.39, 2.0 }, { "Xe", 131.29, 1.40, 2.0 },
    { "Cs", 132.91, 2.44, 2.5 }, { "Ba", 137.33, 2.15, 2.8 },
    { "La", 138.91, 2.07, 2.5 }, { "Ce", 140.12, 2.04, 2.55 },
    { "Pr", 140.91, 2.03, 2.7 }, { "Nd", 144.24, 2.01, 2.8 },
    { "Pm", 145, 1.99, 2.8 }, { "Sm", 150.36, 1.98, 2.8 },
    { "Eu", 151.96, 1.98, 2.8 }, { "Gd", 157.25, 1.96, 2.8 },
    { "Tb", 158.93, 1.94, 2.8 }, { "Dy", 162.50, 1.92, 2.8 },
    { "Ho", 164.93, 1.92, 2.8 }, { "Er", 167.26, 1.89, 2.6 },
    { "Tm", 168.93, 1.90, 2.8 }, { "Yb", 173.05, 1.87, 2.8 },
    { "Lu", 174.97, 1.87, 2.8 }, { "Hf", 178.49, 1.75, 2.4 },
    { "Ta", 180.95, 1.70, 2.5 }, { "W", 183.84, 1.62, 2.3 },
    { "Re", 186.21, 1.51, 2.3 }, { "Os", 190.23, 1.44, 2.3 },
    { "Ir", 192.22, 1.41, 2.3 }, { "Pt", 195.08, 1.36, 2.3 },
    { "Au", 196.97, 1.36, 2.3 }, { "Hg", 200.59, 1.32, 2.3 },
    { "Tl", 204.38, 1.45, 2.3 }, { "Pb", 207.2, 1.46, 2.3 },
    { "Bi", 208.98, 1.48, 2.3 }, { "Po", 209, 1.40, 2.3 },
    { "At", 210, 1.50, 2.3 }, { "Rn", 222, 1.50, 2.3 },
    { "Fr", 223, 2.60, 2.9 }, { "Ra", 226, 2.21, 2.9 },
    { "Ac", 227, 2.15, 2.9 }, { "Th", 232.04, 2.06, 2.8 },
    { "Pa", 231.04, 2.00, 2.8 }, { "U", 238.03, 1.96, 2.8 },
    { "Np", 237, 1.90, 2.8 }, { "Pu", 244, 1.87, 2.8 },
    { "Am", 243, 1.80, 2.8 }, { "Cm", 247, 1.69, 2.8 }, { "Bk", 247, 0, 0 },
    { "Cf", 251, 0, 2.3 }, { "Es", 252, 0, 0 }, { "Fm", 257, 0, 0 },
    { "Md", 258, 0, 0 }, { "No", 259, 0, 0 }, { "Lr", 262, 0, 0 },
    { "Rf", 267, 0, 0 }, { "Db", 268, 0, 0 }, { "Sg", 269, 0, 0 },
    { "Bh", 270, 0, 0 }, { "Hs", 269, 0, 0 }, { "Mt", 277, 0, 0 },
    { "Ds", 281, 0, 0 }, { "Rg", 282, 0, 0 }, { "Cn", 285, 0, 0 },
    { "Nh", 286, 0, 0 }, { "Fl", 290, 0, 0 }, { "Mc", 290, 0, 0 },
    { "Lv", 293, 0, 0 }, { "Ts", 294, 0, 0 }, { "Og", 294, 0, 0 },
};
/* clang-format on */

static const struct element *find_element (const char *symbol)
{
    static const struct element unknown = { "", 0, 0, 0 };

    for (size_t i = 0; i < ARRAY_SIZE (elements); i++) {
        if (strcmp (symbol, elements[i].symbol) == 0)
            return &elements[i];
    }
    return &unknown;
}

double element_mass (const char *symbol)
{
    return find_element (symbol)->mass;
}

double covalent_radius (const char *symbol)
{
    return find_element (symbol)->covalent_radius;
}

double safe_radius (const char *symbol)
{
    static const double bohr = 0.529; /* A, as DPGEN2 has it */

    return find_element (symbol)->core_radius * bohr / 1.2;
}

static bool is_among (const char *symbol, const char *const *words)
{
    while (*words && strcmp (*words, symbol) != 0)
        words++;
    return *words;
}

static bool is_metal (const char *symbol)
{
    static const char *const others[] = { "H",  "He", "B",  "C",  "N",  "O",
                                          "F",  "Ne", "Si", "P",  "S",  "Cl",
                                          "Ar", "Ge", "As", "Se", "Br", "Kr",
                                          "Te", "I",  "Xe", "At", "Rn", NULL };

    return element_mass (symbol) > 0 && !is_among (symbol, others);
}

bool elements_are_metals (const char *const *symbols)
{
    if (!symbols || !*symbols)
        return false;
    while (*symbols && is_metal (*symbols))
        symbols++;
    return !*symbols;
}

bool elements_have_metal (const char *const *symbols)
{
    while (symbols && *symbols && !is_metal (*symbols))
        symbols++;
    return symbols && *symbols;
}

const char *elements_magnetic (const char *const *symbols)
{
    static const char *const magnetic[] = {
        "Cr", "Mn", "Fe", "Co", "Ni", NULL
    };

    while (symbols && *symbols && !is_among (*symbols, magnetic))
        symbols++;
    return symbols ? *symbols : NULL;
}

const char *element_symbol (int64_t number)
{
    return number >= 1 && (uint64_t)number <= ARRAY_SIZE (elements)
               ? elements[number - 1].symbol
               : NULL;
}
