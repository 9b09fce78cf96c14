/* Reads --region. */
#include "core/options/map_area_option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/options/arguments.h"
#include "core/base/decimal.h"
#include "core/base/key_value.h"

enum { X_LOW, Y_LOW, X_HIGH, Y_HIGH, NUMBERS };

enum err map_area_option_read(const char *text, double region[4])
{
    char copy[256], *part[NUMBERS];
    snprintf(copy, sizeof copy, "%s", text);
    if (strlen(text) >= sizeof copy || arguments_split("number", copy, part, NUMBERS) != NUMBERS)
        FAIL(USAGE, "'%s' is not X0,Y0,X1,Y1, the lower left and the upper right corner", text);
    for (int k = 0; k < NUMBERS; k++) {
        region[k] = decimal_read(keyvalue_trim(part[k]));
        if (isnan(region[k]))
            FAIL(USAGE, "'%s': '%s' is not a number", text, part[k]);
    }
    if (!(region[X_LOW] < region[X_HIGH] && region[Y_LOW] < region[Y_HIGH]))
        FAIL(USAGE, "'%s': the lower left corner comes first, then the upper right one", text);
    return ERR_OK;
}
