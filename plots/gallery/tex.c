/* Escapes characters that LaTeX would interpret, or does not have. */
#include "plots/gallery/tex.h"

#include <string.h>

static const struct {
    const char *text, *tex;
} signs[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"--", "-{}"},
    {"\xc2\xb0", "\\textdegree{}"},
    {"\xc2\xb1", "$\\pm$"},
    {"\xc2\xb2", "\\textsuperscript{2}"},
    {"\xc2\xb3", "\\textsuperscript{3}"},
    {"\xc2\xb5", "$\\mu$"},
    {"\xc2\xb7", "$\\cdot$"},
    {"\xc3\x97", "$\\times$"},
    {"\xce\x94", "$\\Delta$"},
    {"\xce\xb8", "$\\theta$"},
    {"\xce\xba", "$\\kappa$"},
    {"\xce\xbc", "$\\mu$"},
    {"\xe2\x88\x92", "$-$"},
    {"\xe2\x89\x88", "$\\approx$"},
    {"\xe2\x89\xa4", "$\\le$"},
    {"\xe2\x89\xa5", "$\\ge$"},
};

/* Writes the sign that a text begins with; returns its length in bytes, 0: none. */
static size_t write_sign(FILE *out, const char *s)
{
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        const size_t length = strlen(signs[k].text);
        if (strncmp(s, signs[k].text, length) != 0)
            continue;
        fputs(signs[k].tex, out);
        return *s == '-' ? 1 : length; /* the second hyphen may be the first of two */
    }
    return 0;
}

void tex_text(FILE *out, const char *s)
{
    for (int quoted = 0; *s;) {
        const size_t length = write_sign(out, s);
        s += length;
        if (length)
            continue;
        if (*s == '"') {
            fputs(quoted ? "''" : "``", out);
            quoted = !quoted;
        } else
            fputc(*s, out);
        s++;
    }
}

void tex_code(FILE *out, const char *s)
{
    while (*s) {
        const size_t length = write_sign(out, s);
        s += length;
        if (length)
            continue;
        if (*s == '"')
            fputs("\\textquotedbl{}", out);
        else if (*s == '\'')
            fputs("\\textquotesingle{}", out);
        else
            fputc(*s == '\n' ? ' ' : *s, out);
        s += *s == '\n' ? strspn(s, " \n") : 1;
    }
}
