/* SPDX-License-Identifier: BSD-3-Clause */
/* safe_radius.c - how close atoms may come for DPGEN2's filter `distance`
 *
 * The numbers of dpgen2/exploration/selector/distance_conf_filter.py, which are
 * core radii as plane-wave codes have them, in bohr times 1.2.
 */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "selection/geometry.h"

double safe_radius (const char *symbol)
{
    static const double bohr = 0.529; /* A, as DPGEN2 has it */
    /* clang-format off */
    static const struct {
        const char *symbol;
        double radius;
    } elements[] = {
        { "H", 0.612 }, { "He", 0.936 }, { "Li", 1.8 }, { "Be", 1.56 },
        { "B", 1.32 }, { "C", 1.32 }, { "N", 1.32 }, { "O", 1.32 },
        { "F", 1.26 }, { "Ne", 1.92 }, { "Na", 1.595 }, { "Mg", 1.87 },
        { "Al", 1.87 }, { "Si", 1.76 }, { "P", 1.65 }, { "S", 1.65 },
        { "Cl", 1.65 }, { "Ar", 2.09 }, { "K", 2.3 }, { "Ca", 2.3 },
        { "Sc", 2.0 }, { "Ti", 2.0 }, { "V", 2.0 }, { "Cr", 1.9 },
        { "Mn", 1.95 }, { "Fe", 1.9 }, { "Co", 1.9 }, { "Ni", 1.9 },
        { "Cu", 1.9 }, { "Zn", 1.9 }, { "Ga", 2.0 }, { "Ge", 2.0 },
        { "As", 2.0 }, { "Se", 2.1 }, { "Br", 2.1 }, { "Kr", 2.3 },
        { "Rb", 2.5 }, { "Sr", 2.5 }, { "Y", 2.1 }, { "Zr", 2.1 },
        { "Nb", 2.1 }, { "Mo", 2.1 }, { "Tc", 2.1 }, { "Ru", 2.1 },
        { "Rh", 2.1 }, { "Pd", 2.1 }, { "Ag", 2.1 }, { "Cd", 2.1 },
        { "In", 2.0 }, { "Sn", 2.0 }, { "Sb", 2.0 }, { "Te", 2.0 },
        { "I", 2.0 }, { "Xe", 2.0 }, { "Cs", 2.5 }, { "Ba", 2.8 },
        { "La", 2.5 }, { "Ce", 2.55 }, { "Pr", 2.7 }, { "Nd", 2.8 },
        { "Pm", 2.8 }, { "Sm", 2.8 }, { "Eu", 2.8 }, { "Gd", 2.8 },
        { "Tb", 2.8 }, { "Dy", 2.8 }, { "Ho", 2.8 }, { "Er", 2.6 },
        { "Tm", 2.8 }, { "Yb", 2.8 }, { "Lu", 2.8 }, { "Hf", 2.4 },
        { "Ta", 2.5 }, { "W", 2.3 }, { "Re", 2.3 }, { "Os", 2.3 },
        { "Ir", 2.3 }, { "Pt", 2.3 }, { "Au", 2.3 }, { "Hg", 2.3 },
        { "Tl", 2.3 }, { "Pb", 2.3 }, { "Bi", 2.3 }, { "Po", 2.3 },
        { "At", 2.3 }, { "Rn", 2.3 }, { "Fr", 2.9 }, { "Ra", 2.9 },
        { "Ac", 2.9 }, { "Th", 2.8 }, { "Pa", 2.8 }, { "U", 2.8 },
        { "Np", 2.8 }, { "Pu", 2.8 }, { "Am", 2.8 }, { "Cm", 2.8 },
        { "Cf", 2.3 },
    };
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_SIZE (elements); i++) {
        if (strcmp (elements[i].symbol, symbol) == 0)
            return elements[i].radius * bohr / 1.2;
    }
    return 0;
}
