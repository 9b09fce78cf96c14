/* Tries inputs, and simplifies the one that breaks a promise. */
#include "verification/contracts/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double rounded_to(enum precision p, double x)
{
    return p == F64 ? x : (double)(float)x;
}

enum { TEXTS = 16, TEXT = 32 };

static char *next_text(void)
{
    static _Thread_local char text[TEXTS][TEXT];
    static _Thread_local int at;
    return text[at = (at + 1) % TEXTS];
}

/* Digits of the shortest decimal number that is x. */
static int digits_of(enum precision p, double x, char text[TEXT])
{
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, TEXT, "%.*g", digits, x);
        if (!(fabs(rounded_to(p, strtod(text, NULL)) - x) > 0))
            return digits;
    }
    snprintf(text, TEXT, "%.17g", x);
    return 17;
}

const char *exact_text(enum precision p, double x)
{
    char *text = next_text();
    if (isnan(x))
        return "NaN";
    digits_of(p, x, text);
    return text;
}

const char *short_text(double x)
{
    char *text = next_text();
    if (isnan(x))
        return "NaN";
    snprintf(text, TEXT, "%.6g", x);
    return text;
}

void differing_texts(double x, double y, char a[TEXT], char b[TEXT])
{
    for (int digits = 6; digits <= 17; digits += digits == 6 ? 3 : 8) {
        snprintf(a, TEXT, "%.*g", digits, x);
        snprintf(b, TEXT, "%.*g", digits, y);
        if (strcmp(a, b) != 0)
            return;
    }
}

const char *property_name(unsigned property)
{
    switch (property) {
    case SYMMETRIC:
        return "SYMMETRIC";
    case TVD:
        return "TVD";
    case SECOND_ORDER:
        return "SECOND_ORDER";
    case POSITIVE:
        return "POSITIVE";
    case WELL_BALANCED:
        return "WELL_BALANCED";
    case BED_STEP:
        return "BED_STEP";
    default:
        return "CELL_BEDS";
    }
}

void remark_cited(const char *title, const char *cite, const char *where, struct remarks *r)
{
    const int ok = title && *title && cite && *cite;
    if (ok)
        remark(r, HOLDS, "cited", "", "states a title and a source");
    else
        remark(r, FAILS, "cited", "", "%s must state a title and where it was published", where);
}

/* How far a number is from simple: few digits, near 1, not negative. */
static double cost_of(enum precision p, double x, double usual)
{
    char text[TEXT];
    if (!(fabs(x) > 0) || (!isnan(usual) && !(fabs(x - usual) > 0)))
        return 0;
    const int digits = digits_of(p, x, text);
    return digits + 0.6 * fabs(floor(log10(fabs(x)))) + (x < 0 ? 0.5 : 0) +
           (fabs(fabs(x) - 1) > 0 ? 0.2 : 0);
}

static double cost(const struct inputs *in, enum precision p, const double *x)
{
    double sum = 0;
    for (int k = 0; k < in->numbers; k++)
        sum += cost_of(p, x[k], in->usual[k]);
    return sum;
}

static double to_digits(double x, int digits)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%.*g", digits, x);
    return strtod(text, NULL);
}

/* x with its decimal exponent moved towards 0 by `steps`. */
static double less_extreme(double x, int steps)
{
    char text[TEXT];
    if (!(fabs(x) > 0))
        return 0;
    const int e = (int)floor(log10(fabs(x)));
    const int to = e > 0 ? (e > steps ? e - steps : 0) : (e < -steps ? e + steps : 0);
    snprintf(text, sizeof text, "%.3ge%d", x / pow(10, e), to);
    return strtod(text, NULL);
}

enum { CANDIDATES = 24 + INPUTS };

/* Simpler candidates for x[k]. */
static int candidates(const struct inputs *in, const double *x, int k, double *c)
{
    static const double plain[] = {0, 1, 2, 3, 4, 5, 0.5, 0.1, 0.01, 10, 100, 1000, -1, -2};
    int n = 0;
    c[n++] = isnan(in->usual[k]) ? 0 : in->usual[k];
    for (size_t m = 0; m < sizeof plain / sizeof *plain; m++)
        c[n++] = plain[m];
    c[n++] = fabs(x[k]);
    c[n++] = -fabs(x[k]);
    for (int digits = 1; digits <= 3; digits++)
        c[n++] = to_digits(x[k], digits);
    for (int steps = 1; steps <= 100; steps *= 10)
        c[n++] = less_extreme(x[k], steps);
    for (int m = 0; m < in->numbers; m++)
        c[n++] = x[m];
    return n;
}

struct hunt {
    const struct inputs *in;
    const struct question *q;
    const struct subject *s;
};

/* Takes `y` for `x` if it is simpler and breaks the promise, too. */
static int improves(const struct hunt *h, double *x, const double *y)
{
    double z[INPUTS];
    memcpy(z, y, sizeof z);
    const enum precision p = h->s->precision;
    if (!h->in->tidy(p, z) || !(cost(h->in, p, z) < cost(h->in, p, x) - 1e-9) ||
        !h->q->breaks(h->s, z))
        return 0;
    memcpy(x, z, sizeof z);
    return 1;
}

static int improve_one(const struct hunt *h, double *x, int k)
{
    double c[CANDIDATES], y[INPUTS];
    int better = 0;
    const int n = candidates(h->in, x, k, c);
    for (int m = 0; m < n; m++) {
        memcpy(y, x, sizeof y);
        y[k] = c[m];
        better |= improves(h, x, y);
    }
    return better;
}

static int improve_two(const struct hunt *h, double *x, int k, int l)
{
    double a[CANDIDATES], b[CANDIDATES], y[INPUTS];
    int better = 0;
    const int n = candidates(h->in, x, k, a), o = candidates(h->in, x, l, b);
    for (int m = 0; m < n * o; m++) {
        memcpy(y, x, sizeof y);
        y[k] = a[m / o];
        y[l] = b[m % o];
        better |= improves(h, x, y);
    }
    return better;
}

static void simplify(const struct hunt *h, double *x)
{
    int better = 1;
    for (int round = 0; better && round < 40; round++) {
        better = 0;
        for (int k = 0; k < h->in->numbers; k++)
            better |= improve_one(h, x, k);
        for (int k = 0; !better && k < h->in->numbers; k++)
            for (int l = k + 1; l < h->in->numbers; l++)
                better |= improve_two(h, x, k, l);
    }
}

static void unload(struct plugin_library lib[PRECISIONS])
{
    for (int p = 0; p < PRECISIONS; p++)
        plugin_unload(&lib[p]);
}

/* In both precisions. If the compiler rejects it that is a remark, and *ok is 0. */
static enum err load(struct plugin_library lib[PRECISIONS], enum plugin_kind kind, const char *name,
                     struct remarks *r, int *ok)
{
    char what[128];
    enum err e = ERR_OK;
    for (int p = 0; p < PRECISIONS && !e; p++)
        e = plugin_load(&lib[p], kind, name, (enum precision)p);
    *ok = !e;
    if (!e && !remark_on(r, "compiles"))
        remark(r, HOLDS, "compiles", "", "the C compiler accepts it in f32 and f64");
    if (!e)
        return ERR_OK;
    unload(lib);
    if (e != ERR_KERNEL)
        return e;
    snprintf(what, sizeof what, "%s %s", plugin_kinds[kind], name);
    remark_compile(r, what);
    return ERR_OK;
}

/* Findings in one precision. */
struct catch
{
    int broken;
    double x[INPUTS];
    struct hunt hunt;
};

static void look_for_failure(struct catch *c, double (*x)[INPUTS], int n)
{
    for (int k = 0; k < n && !c->broken; k++)
        if (c->hunt.q->breaks(c->hunt.s, x[k])) {
            memcpy(c->x, x[k], sizeof c->x);
            simplify(&c->hunt, c->x);
            c->broken = 1;
        }
}

/* In f64 unless the example in f32 is simpler. */
static const struct catch *simpler(const struct catch *of)
{
    if (!of[F64].broken || !of[F32].broken)
        return of[F64].broken ? &of[F64] : &of[F32];
    const double f32 = cost(of[F32].hunt.in, F32, of[F32].x);
    return f32 < cost(of[F64].hunt.in, F64, of[F64].x) - 0.5 ? &of[F32] : &of[F64];
}

/* The earlier failed check that makes this one pointless; null: none. Checks skip results that are
 * not finite: if most are, they have tested nothing. */
static const char *failed_premise(const struct question *q, const char *finite,
                                  const struct remarks *r)
{
    return q->premise && remark_fails(r, q->premise) ? q->premise : finite;
}

static void answer(const struct plugin *plugin, const struct catch *of, int inputs,
                   const char *finite, struct remarks *r)
{
    const struct question *q = of[0].hunt.q;
    const int declared = (plugin->properties & q->properties) == q->properties;
    if (!of[F32].broken && !of[F64].broken) {
        const char *const premise = failed_premise(q, finite, r);
        if (premise)
            remark(r, NOT_ASKED, q->check, "", "not tried: \"%s\" must hold first", premise);
        else if (declared)
            remark(r, HOLDS, q->check, "", "%s: %d inputs in f32 and f64", q->holds, inputs);
        else
            remark(r, NOTED, q->check, "", "%s, though it does not declare %s", q->holds,
                   property_name(q->properties));
        return;
    }
    const struct catch *c = simpler(of);
    char example[SENTENCE] = "";
    (q->show ? q->show : c->hunt.in->show)(c->hunt.s, c->x, example);
    if (!declared) {
        remark(r, NOT_ASKED, q->check, "", "does not declare %s, and does not have it: %s",
               property_name(q->properties), example);
        return;
    }
    if (!of[F32].broken || !of[F64].broken || c->hunt.s->precision == F32) {
        const size_t used = strlen(example);
        snprintf(example + used, sizeof example - used, " in %s",
                 precision_names[c->hunt.s->precision]);
    }
    remark(r, FAILS, q->check, example, "%s %s%s", plugin->name, q->wrong,
           q->why ? q->why(c->hunt.s, c->x) : "");
}

/* Do most inputs break the promise? */
static int breaks_mostly(const struct hunt *h, double (*x)[INPUTS], int n)
{
    int broken = 0;
    for (int k = 0; k < n; k++)
        broken += h->q->breaks(h->s, x[k]) != 0;
    return 2 * broken > n;
}

enum err search(const struct plugin *plugin, enum plugin_kind kind, const struct inputs *in,
                const struct question *questions, int count, struct remarks *r)
{
    struct plugin_library lib[PRECISIONS] = {0};
    int ok, n[PRECISIONS];
    double(*x[PRECISIONS])[INPUTS] = {0};
    enum err e = ERR_OK;
    const char *finite = NULL; /* the first check, where most results fail it */
    struct subject subject[PRECISIONS];
    TRY(load(lib, kind, plugin->name, r, &ok));
    for (int p = 0; p < PRECISIONS && ok; p++) {
        x[p] = calloc((size_t)in->most, sizeof *x[p]);
        if (!x[p])
            TRY_OUT(err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d inputs", in->most));
        n[p] = in->fill((enum precision)p, x[p]);
        subject[p] = (struct subject){plugin->name, (enum precision)p, &lib[p]};
    }
    for (int k = 0; k < count && ok; k++) {
        struct catch of[PRECISIONS] = {0};
        for (int p = 0; p < PRECISIONS; p++) {
            of[p].hunt = (struct hunt){in, &questions[k], &subject[p]};
            look_for_failure(&of[p], x[p], n[p]);
        }
        answer(plugin, of, n[F32] + n[F64], finite, r);
        for (int p = 0; p < PRECISIONS && k == 0 && of[p].broken; p++)
            if (breaks_mostly(&of[p].hunt, x[p], n[p]))
                finite = questions[0].check;
    }
out:
    for (int p = 0; p < PRECISIONS; p++)
        free(x[p]);
    unload(lib);
    return e;
}
