/* May output be coloured? */
#include "core/picture/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int terminal_in_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}
