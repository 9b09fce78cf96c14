/* Skips a test that draws, where nothing can; include after cmocka.h. */
#ifndef SHOAL_TEST_NEED_GNUPLOT_H
#define SHOAL_TEST_NEED_GNUPLOT_H

#include "core/picture/gnuplot.h"

static inline void need_gnuplot(void)
{
    if (gnuplot_present())
        return;
    print_message("skipped: there is no gnuplot\n");
    skip();
}

#endif
