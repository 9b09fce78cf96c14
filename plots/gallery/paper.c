/* Writes facts and claims as LaTeX. */
#include "plots/gallery/paper.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "plots/gallery/tex.h"

enum { SIGNIFICANT = 6 };

/* 12\,345.6: groups of three digits where there are more than four. */
static void put_digits(FILE *f, const char *text)
{
    const size_t whole = strcspn(text, ".");
    for (size_t k = 0; text[k]; k++) {
        if (k && k < whole && whole > 4 && (whole - k) % 3 == 0)
            fputs("\\,", f);
        fputc(text[k], f);
    }
}

static void put_fixed(FILE *f, double x, int decimals, int strip)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(x));
    if (strip && strchr(text, '.')) {
        size_t n = strlen(text);
        while (text[n - 1] == '0')
            text[--n] = '\0';
        if (text[n - 1] == '.')
            text[n - 1] = '\0';
    }
    if (x < 0 && strpbrk(text, "123456789"))
        fputs("$-$", f);
    put_digits(f, text);
}

/* With this many significant digits, and a power of ten instead of many zeros. */
static void put_significant(FILE *f, double x, int digits, int strip)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    const char *e = strchr(text, 'e');
    const int power = e ? (int)strtol(e + 1, NULL, 10) : 0;
    const double rounded = strtod(text, NULL);
    if (power >= -4 && power < 9) {
        put_fixed(f, rounded, power < digits ? digits - 1 - power : 0, strip);
        return;
    }
    put_fixed(f, rounded / pow(10, power), digits - 1, strip);
    fprintf(f, "$\\cdot10^{%d}$", power);
}

static void put_number(FILE *f, double x)
{
    static const struct {
        int digits, strip;
    } significant[] = {{3, 1}, {2, 0}};
    for (size_t k = 0; k < sizeof significant / sizeof *significant; k++) {
        fputc('{', f);
        put_significant(f, x, significant[k].digits, significant[k].strip);
        fputc('}', f);
    }
    for (int decimals = 0; decimals <= 3; decimals++) {
        fputc('{', f);
        put_fixed(f, x, decimals, 0);
        fputc('}', f);
    }
    fputc('{', f);
    put_significant(f, x, SIGNIFICANT, 1);
    fprintf(f, "}{%.9g}\n", x);
}

static void put_text(FILE *f, const char *text)
{
    fputc('{', f);
    tex_text(f, text);
    fputs("}\n", f);
}

void paper_fact(FILE *f, double x, const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    fputs("\\shoalfact{", f);
    vfprintf(f, name, ap);
    fputc('}', f);
    put_number(f, x);
    va_end(ap);
}

void paper_word(FILE *f, const char *text, const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    fputs("\\shoalword{", f);
    vfprintf(f, name, ap);
    fputc('}', f);
    put_text(f, text);
    va_end(ap);
}

/* EXPERIMENT/DEVICE/NAME.low, .high and .runs of facts with intervals. */
static void put_interval(const struct exhibit *x, const struct showing *s, const struct fact *fact,
                         FILE *f)
{
    const struct value *v = &fact->value;
    const struct {
        const char *name;
        double x;
    } parts[] = {{"low", v->low}, {"high", v->high}, {"runs", v->runs}};
    for (size_t k = 0; v->runs && k < sizeof parts / sizeof *parts; k++) {
        const char *kind = isfinite(parts[k].x) ? "fact" : "unknown";
        fprintf(f, "\\shoal%s{%s/%s/%s.%s}", kind, x->experiment.name, s->device, fact->name,
                parts[k].name);
        if (isfinite(parts[k].x))
            put_number(f, parts[k].x);
        else
            put_text(f, "a single run has no interval");
    }
}

static void put_facts(const struct exhibit *x, const struct showing *s, FILE *f)
{
    for (int k = 0; k < s->figure.facts.count; k++) {
        const struct fact *fact = &s->figure.facts.fact[k];
        const struct value *v = &fact->value;
        const char *kind = !v->known ? "unknown" : isfinite(v->number) ? "fact" : "word";
        fprintf(f, "\\shoal%s{%s/%s/%s}", kind, x->experiment.name, s->device, fact->name);
        if (!v->known)
            put_text(f, *fact->missing ? fact->missing : s->missing);
        else if (isfinite(v->number))
            put_number(f, v->number);
        else
            put_text(f, isinf(v->number) ? "infinite" : v->text);
        put_interval(x, s, fact, f);
    }
    for (int k = 0; k < s->figure.claims.count; k++) {
        const struct claim *c = &s->figure.claims.claim[k];
        fprintf(f, "\\shoalverdict{%s/%s}{%s}\n", c->id, s->device, claim_verdicts[c->verdict]);
    }
}

static void put_showing(const struct exhibit *x, const struct showing *s, FILE *f)
{
    const char *kind = !s->drawn ? "missing" : x->table ? "table" : "figure";
    fprintf(f, "\\shoal%s{%s/%s}", kind, x->experiment.name, s->device);
    if (s->drawn)
        fprintf(f, "{%s}", s->figure.stem);
    put_text(f, s->drawn ? s->figure.caption : *s->missing ? s->missing : "it cannot be drawn");
    if (s->open)
        put_facts(x, s, f);
}

/* environment/DEVICE/NAME */
static void put_environment(const struct plot_device *d, FILE *f)
{
    static const char section[] = "environment/";
    paper_word(f, plot_device_title(d), "environment/%s/title", d->device);
    paper_word(f, d->environment, "environment/%s/folder", d->device);
    for (size_t k = 0; k < d->manifest.count; k++) {
        const struct db_entry *entry = &d->manifest.entry[k];
        if (strncmp(entry->key, section, sizeof section - 1) == 0)
            paper_word(f, entry->value, "environment/%s/%s", d->device,
                       entry->key + sizeof section - 1);
    }
}

static void write_facts(FILE *f, const void *context)
{
    const struct gallery *g = context;
    fputs("% Written by `shoal plot --all`; paper/shoal.sty says what it means.\n", f);
    paper_counts(g, f);
    for (int k = 0; k < g->devices.count; k++)
        if (g->devices.at[k].rank == 1)
            put_environment(&g->devices.at[k], f);
    for (int k = 0; k < g->count; k++)
        for (int m = 0; m < g->exhibit[k].count; m++)
            put_showing(&g->exhibit[k], &g->exhibit[k].showing[m], f);
}

/* The finding of a showing, and the verdict. */
static void put_ours(const struct gallery *g, const struct showing *s, int which, FILE *f)
{
    if (!s->open || which >= s->figure.claims.count)
        return;
    const struct claim *c = &s->figure.claims.claim[which];
    fprintf(f, "  \\shoalours{%s}{", s->device);
    tex_text(f, gallery_device(g, s));
    fputs("}{", f);
    if (c->verdict != VERDICT_UNKNOWN)
        tex_text(f, c->ours);
    if (c->verdict != VERDICT_UNKNOWN && c->runs > 1 && c->runs < ENOUGH_RUNS)
        fprintf(f, " [%d runs]", c->runs);
    fprintf(f, "}{%s}%%\n", claim_verdicts[c->verdict]);
}

/* So that the other devices' verdicts keep their places. */
static void put_not_meant(const struct plot_device *d, FILE *f)
{
    fprintf(f, "  \\shoalours{%s}{", d->device);
    tex_text(f, plot_device_title(d));
    fputs("}{}{not meant}%\n", f);
}

static void put_claim(const struct gallery *g, const struct exhibit *x, int which, FILE *f)
{
    const struct claim *c = &exhibit_first(x)->figure.claims.claim[which];
    const char *whose = c->kind == CLAIM_OWN                  ? "own"
                        : strncmp(c->where, "thesis", 6) == 0 ? "thesis"
                                                              : "other";
    fprintf(f, "\\shoalclaim{%s}{%s}{", whose, x->experiment.name);
    tex_text(f, c->text);
    fputs("}{", f);
    tex_text(f, c->where);
    fputs("}{", f);
    tex_text(f, exhibit_published(x, which));
    fputs("}{%\n", f);
    if (x->common)
        put_ours(g, &x->showing[0], which, f);
    for (int k = 0; k < g->devices.count && !x->common; k++) {
        const struct plot_device *d = &g->devices.at[k];
        const struct showing *s = exhibit_on(x, d->device);
        if (d->rank == 1 && s)
            put_ours(g, s, which, f);
        else if (d->rank == 1)
            put_not_meant(d, f);
    }
    fputs("}\n", f);
}

static void write_claims(FILE *f, const void *context)
{
    const struct gallery *g = context;
    const char *chapter = "";
    fputs("% Written by `shoal plot --all`.\n", f);
    for (int k = 0; k < g->devices.count; k++)
        if (g->devices.at[k].rank == 1) {
            fprintf(f, "\\shoaldevice{%s}{", g->devices.at[k].device);
            tex_text(f, plot_device_title(&g->devices.at[k]));
            fputs("}\n", f);
        }
    fputs("\\begin{shoalclaims}\n", f);
    for (int k = 0; k < g->count; k++) {
        const struct exhibit *x = &g->exhibit[k];
        const struct showing *s = exhibit_first(x);
        if (!s || s->figure.claims.count == 0)
            continue;
        if (strcmp(chapter, exhibit_setting(x, "chapter")) != 0) {
            chapter = exhibit_setting(x, "chapter");
            fputs("\\shoalchapter{", f);
            tex_text(f, chapter);
            fputs("}\n", f);
        }
        for (int m = 0; m < s->figure.claims.count; m++)
            put_claim(g, x, m, f);
    }
    fputs("\\end{shoalclaims}\n", f);
}

enum err paper_write(const struct gallery *g)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.*s/paper/facts.tex", PATH_LENGTH - 300, g->folder);
    TRY(outfile_print(path, write_facts, g));
    snprintf(path, sizeof path, "%.*s/paper/claims.tex", PATH_LENGTH - 300, g->folder);
    TRY(outfile_print(path, write_claims, g));
    TRY(paper_devices(g));
    return paper_artifacts(g);
}
