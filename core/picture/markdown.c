/* Writes Markdown: escapes what would act as markup, and aligns tables. */
#include "core/picture/markdown.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Would this start something at the beginning of a line: a heading, a list, a quotation, a rule? */
static size_t before_marker(const char *s)
{
    const size_t digits = strspn(s, "0123456789");
    return digits && strchr(".)", s[digits]) ? digits : strchr("#+-=>", *s) ? 0 : strlen(s);
}

static int letter(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f ? ' ' : c;
}

static int is_marker(const char *text, const char *s, size_t marker)
{
    switch (*s) {
    case '_': /* within a word it is a letter */
        return s == text || !isalnum((unsigned char)s[-1]) || !isalnum((unsigned char)s[1]);
    case '<': /* also in addresses, which readers detect by rules of their own */
        return s[1] && s[1] != ' ' && (s[1] != '=' || strchr(s, '@'));
    case '&':
        return isalnum((unsigned char)s[1]) || s[1] == '#';
    case '#': /* a blank before it: it might end a heading */
        return s == text || letter(s[-1]) == ' ';
    default:
        return (size_t)(s - text) == marker || strchr("\\`*[]|~$", *s);
    }
}

/* `begins`: a line. */
static void put_text(FILE *f, const char *text, int begins)
{
    text += begins ? strspn(text, " \t\r\n") : 0;
    const size_t marker = begins ? before_marker(text) : strlen(text);
    for (const char *s = text; *s; s++) {
        if (is_marker(text, s, marker))
            fputc('\\', f);
        fputc(letter(*s), f);
    }
}

static int longest_run(const char *text, char c)
{
    int most = 0, n = 0;
    for (; *text; text++) {
        n = *text == c ? n + 1 : 0;
        most = n > most ? n : most;
    }
    return most;
}

static void put_times(FILE *f, char c, int n)
{
    while (n-- > 0)
        fputc(c, f);
}

/* Text in a longer run of backticks than it contains. A bar ends a cell, and readers differ in how
 * code can contain it: with a bar it stays plain text. */
static void put_code(FILE *f, const char *text, int cell)
{
    const int ticks = longest_run(text, '`') + 1, room = ticks > 1;
    if (!*text || (cell && strchr(text, '|'))) {
        put_text(f, text, 0);
        return;
    }
    put_times(f, '`', ticks);
    put_times(f, ' ', room);
    for (; *text; text++)
        fputc(letter(*text), f);
    put_times(f, ' ', room);
    put_times(f, '`', ticks);
}

/* A link's target: unusual characters become hexadecimal numbers. */
static void put_place(FILE *f, const char *text)
{
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || (unsigned char)*text >= 0x80 || strchr("-._/#", *text))
            fputc(*text, f);
        else
            fprintf(f, "%%%02x", (unsigned)(unsigned char)*text);
}

static int follows(const char *fmt, const char *s, const char *mark)
{
    const size_t n = strlen(mark);
    return (size_t)(s - fmt) >= n && memcmp(s - n, mark, n) == 0;
}

/* Is everything before it on its line only the start of a list or a quotation? */
static int begins_line(const char *fmt, const char *s)
{
    while (s > fmt && strchr(" ->", s[-1]))
        s--;
    return s == fmt || s[-1] == '\n';
}

static void put_format(FILE *f, int cell, const char *fmt, va_list ap)
{
    for (const char *s = fmt; *s; s++) {
        if (strncmp(s, "`%s`", 4) == 0) {
            put_code(f, va_arg(ap, const char *), cell);
            s += 3;
        } else if (strncmp(s, "%s", 2) == 0) {
            if (follows(fmt, s, "](") || follows(fmt, s, "](#"))
                put_place(f, va_arg(ap, const char *));
            else
                put_text(f, va_arg(ap, const char *), !cell && begins_line(fmt, s));
            s++;
        } else if (strncmp(s, "%d", 2) == 0) {
            fprintf(f, "%d", va_arg(ap, int));
            s++;
        } else {
            fputc(*s, f);
        }
    }
}

void markdown_print(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    put_format(f, 0, fmt, ap);
    va_end(ap);
}

void markdown_heading(FILE *f, int level, const char *fmt, ...)
{
    va_list ap;
    put_times(f, '#', level);
    fputc(' ', f);
    va_start(ap, fmt);
    put_format(f, 0, fmt, ap);
    va_end(ap);
    fputs("\n\n", f);
}

void markdown_anchor(const char *heading, char *anchor, size_t n)
{
    size_t used = 0;
    for (; *heading && used + 1 < n; heading++) {
        const char c = *heading;
        if (isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("-_ ", c))
            anchor[used++] = (char)(c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    anchor[used] = '\0';
}

void markdown_image(FILE *f, const char *file, const char *fmt, ...)
{
    va_list ap;
    fputs("![", f);
    va_start(ap, fmt);
    put_format(f, 0, fmt, ap);
    va_end(ap);
    markdown_print(f, "](%s)\n\n", file);
}

void markdown_block(FILE *f, const char *text)
{
    const int ticks = longest_run(text, '`');
    put_times(f, '`', ticks < 3 ? 3 : ticks + 1);
    fputc('\n', f);
    for (const char *s = text; *s; s++)
        fputc(*s == '\n' ? '\n' : letter(*s), f);
    put_times(f, '\n', !*text || text[strlen(text) - 1] != '\n');
    put_times(f, '`', ticks < 3 ? 3 : ticks + 1);
    fputs("\n\n", f);
}

/* Without memory there is no stream; the table's end says so. */
static void add_cell(struct markdown_table *t, const char *fmt, va_list ap)
{
    if (!t->stream)
        t->stream = open_memstream(&t->text, &t->size);
    if (!t->stream)
        return;
    put_format(t->stream, 1, fmt, ap);
    fputc('\0', t->stream);
}

void markdown_column(struct markdown_table *t, int right, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    t->right[t->columns++ % MARKDOWN_COLUMNS] = right;
    add_cell(t, fmt, ap);
    va_end(ap);
}

void markdown_cell(struct markdown_table *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    t->cells++;
    add_cell(t, fmt, ap);
    va_end(ap);
}

/* Characters, not bytes, of a text in UTF-8. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

/* A longer text does not widen its column. */
enum { WIDEST = 48 };

static void find_widths(const struct markdown_table *t, int width[MARKDOWN_COLUMNS])
{
    const char *s = t->text;
    for (int k = 0; k < t->columns + t->cells; k++, s += strlen(s) + 1) {
        int *w = &width[k % t->columns];
        const int n = width_of(s);
        *w = n > *w && n <= WIDEST ? n : *w;
    }
}

/* The last column may end where its text does. */
static void put_cell(FILE *f, const char *text, int width, int right, int last)
{
    const int room = width - width_of(text);
    fputs("| ", f);
    put_times(f, ' ', right ? room : 0);
    fputs(text, f);
    put_times(f, ' ', right || last ? 0 : room);
    fputs(last ? " |\n" : " ", f);
}

static void put_rule(FILE *f, const struct markdown_table *t, const int *width)
{
    for (int k = 0; k < t->columns; k++) {
        fputc('|', f);
        put_times(f, '-', width[k] + 1);
        fputc(t->right[k] ? ':' : '-', f);
    }
    fputs("|\n", f);
}

void markdown_table_end(struct markdown_table *t, FILE *f)
{
    int width[MARKDOWN_COLUMNS] = {0};
    if (!t->stream || fclose(t->stream) != 0 || t->columns > MARKDOWN_COLUMNS) {
        fputs("There is no memory for the table that belongs here.\n\n", f);
    } else {
        const char *s = t->text;
        find_widths(t, width);
        for (int k = 0; k < t->columns + t->cells; k++, s += strlen(s) + 1) {
            const int at = k % t->columns;
            if (k == t->columns)
                put_rule(f, t, width);
            put_cell(f, s, width[at], t->right[at], at == t->columns - 1);
        }
        if (!t->cells)
            put_rule(f, t, width);
        fputc('\n', f);
    }
    free(t->text);
    *t = (struct markdown_table){0};
}
