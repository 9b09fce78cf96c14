/* Gnuplot's drawings inside a page. */
#include <string.h>

#include "verification/report/report_parts.h"

/* Length of the text at s after which an id or a reference to one follows; 0: none. */
static size_t before_id(const char *s)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strncmp(s, marks[k], strlen(marks[k])) == 0)
            return strlen(marks[k]);
    return 0;
}

void gnuplot_embed(FILE *out, const char *svg, int number)
{
    const char *s = strstr(svg, "<svg");
    while (s && *s) {
        /* Browsers would show the title wherever the pointer rests on the drawing. */
        const char *title = strncmp(s, "<title>", 7) == 0 ? strstr(s, "</title>") : NULL;
        const size_t n = before_id(s);
        if (title) {
            s = title + strlen("</title>");
        } else if (n) {
            fprintf(out, "%.*sf%d-", (int)n, s, number);
            s += n;
        } else {
            /* Up to where an id may begin, at once: drawings are long. */
            const size_t plain = 1 + strcspn(s + 1, " hu<");
            fwrite(s, 1, plain, out);
            s += plain;
        }
    }
}
