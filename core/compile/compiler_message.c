/* Compilers' logs: the first error, its place and its remedy. */
#include "core/compile/compiler_message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/printable.h"

enum { WINDOW = 100, FOLLOWING = 60 }; /* of a source line shown; of a log, lines of notes */

/* A line of a log: "FILE:LINE:COLUMN: error: TEXT" or "FILE(LINE): error: TEXT"; or a note, alike. */
struct remark {
    const char *file, *text;
    int file_length, text_length, line, column, is_error;
};

/* Removes ":NUMBER" from the end of s[0..n-1]; returns the number, or 0 if there is none. */
static int take_number(const char *s, int *n)
{
    int k = *n;
    while (k > 0 && isdigit((unsigned char)s[k - 1]))
        k--;
    if (k == *n || k < 1 || s[k - 1] != ':' || *n - k > 8)
        return 0;
    *n = k - 1;
    return (int)strtol(s + k, NULL, 10);
}

/* The first of these words in s[0..n-1], and its length. */
static const char *find_any(const char *s, size_t n, const char *const *words, size_t *length)
{
    const char *first = NULL;
    for (; *words; words++) {
        const char *at = memmem(s, n, *words, strlen(*words));
        if (at && (!first || at < first)) {
            first = at;
            *length = strlen(*words);
        }
    }
    return first;
}

static int parse_gnu(const char *s, size_t n, struct remark *r)
{
    static const char *const errors[] = {": error: ", ": fatal error: ", NULL};
    static const char *const notes[] = {": note: ", NULL};
    size_t length = 0;
    const char *at = find_any(s, n, errors, &length);
    r->is_error = at != NULL;
    if (!at)
        at = find_any(s, n, notes, &length);
    if (!at)
        return 0;
    r->file = s;
    r->file_length = (int)(at - s);
    r->text = at + length + strspn(at + length, " ");
    r->line = take_number(s, &r->file_length);
    const int before = take_number(s, &r->file_length);
    r->column = before ? r->line : 0;
    r->line = before ? before : r->line;
    return 1;
}

/* The kind of error is followed by a number, "error #20: ", or nothing, "error: ". */
static int parse_nvrtc(const char *s, size_t n, struct remark *r)
{
    static const char *const errors[] = {"): error", "): catastrophic error", NULL};
    size_t length = 0;
    const char *at = find_any(s, n, errors, &length);
    const char *colon = at ? memchr(at + length, ':', n - (size_t)(at + length - s)) : NULL;
    if (!colon)
        return 0;
    int k = (int)(at - s);
    while (k > 0 && isdigit((unsigned char)s[k - 1]))
        k--;
    if (k < 1 || s[k - 1] != '(' || at == s + k || at - (s + k) > 8)
        return 0;
    r->is_error = 1;
    r->file = s;
    r->file_length = k - 1;
    r->line = (int)strtol(s + k, NULL, 10);
    r->column = 0;
    r->text = colon + 1 + (colon[1] == ' ');
    return 1;
}

static int parse(const char *s, struct remark *r)
{
    const size_t n = strcspn(s, "\n");
    if (!parse_nvrtc(s, n, r) && !parse_gnu(s, n, r))
        return 0;
    r->text_length = (int)(s + n - r->text);
    return r->text_length >= 0;
}

static int ends_with(const struct remark *r, const char *tail)
{
    const int n = (int)strlen(tail);
    return r->file_length >= n && strncmp(r->file + r->file_length - n, tail, (size_t)n) == 0;
}

/* How likely the mistake is in this file: 0 most, in plug-ins and kernels; least in the headers of
 * the language, which the compiler names when one of their macros is misused. */
static int distance_from_student(const struct remark *r)
{
    static const char *const folders[] = {"/limiters/", "/fluxes/", "/reconstructions/"};
    static const char *const language[] = {"/tile.h", "/rows.h", "/rows_warp.h", "/rows_vector.h",
                                           "/real.h"};
    if (r->line < 1)
        return 3;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        if (memmem(r->file, (size_t)r->file_length, folders[k], strlen(folders[k])))
            return 0;
    for (size_t k = 0; k < sizeof language / sizeof *language; k++)
        if (ends_with(r, language[k]))
            return 2;
    return !ends_with(r, ".cu");
}

/* The likeliest of the places that the error and its notes name, for `error`. NVRTC's notes have
 * another form and add nothing. */
static void choose_place(const char *after, const struct remark *error, struct remark *place)
{
    struct remark r;
    *place = *error;
    for (int k = 0; *after && k < FOLLOWING; k++) {
        if (parse(after, &r)) {
            if (r.is_error)
                return;
            if (distance_from_student(&r) < distance_from_student(place))
                *place = r;
        }
        after += strcspn(after, "\n");
        after += *after == '\n';
    }
}

/* Removes the compiler's name of the warning. */
static void take_text(struct diagnosis *d, const struct remark *error)
{
    snprintf(d->what, sizeof d->what, "%.*s", error->text_length, error->text);
    diagnosis_remedy(d);
    char *flag = strstr(d->what, " [-W");
    if (flag)
        *flag = '\0';
}

/* The column of an NVRTC error: its log shows the line, shifted, with a caret below. `line` is the
 * line in the file. */
static int column_by_caret(const char *log, const char *line)
{
    const size_t n = strcspn(log, "\n"), indent = strspn(log, " ");
    const char *below = log + n + (log[n] == '\n');
    const size_t caret = strspn(below, " ");
    if (indent >= n || below[caret] != '^' || caret < indent)
        return 0;
    const char *at = memmem(line, strlen(line), log + indent, n - indent);
    return at ? (int)(at - line) + (int)(caret - indent) + 1 : 0;
}

/* The file's path: relative names are below the installation. */
static FILE *open_source(const char *file)
{
    char path[PATH_LENGTH];
    if (*file != '/' && paths_file(file, path) == ERR_OK)
        return fopen(path, "r");
    return fopen(file, "r");
}

/* Line `number` of the file, truncated to fit; 0 if it has none. */
static int source_line(const char *file, int number, char *line, size_t n)
{
    FILE *f = open_source(file);
    int at = 1, c = 0;
    size_t used = 0;
    while (f && at < number && (c = fgetc(f)) != EOF)
        at += c == '\n';
    while (f && at == number && used + 1 < n && (c = fgetc(f)) != EOF && c != '\n')
        line[used++] = (char)(c == '\t' || c == '\0' ? ' ' : c);
    line[used] = '\0';
    if (f)
        fclose(f);
    return used > 0;
}

int diagnosis_find(const char *log, struct diagnosis *d)
{
    struct remark error, place;
    const char *home = "", *s = log;
    *d = (struct diagnosis){.line = 0};
    while (*s && !(parse(s, &error) && error.is_error)) {
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    if (!*s)
        return 0;
    s += strcspn(s, "\n");
    s += *s == '\n';
    choose_place(s, &error, &place);
    const char *file = place.file;
    int n = place.file_length;
    if (paths_home(&home) == ERR_OK && (int)strlen(home) < n && file[strlen(home)] == '/' &&
        strncmp(file, home, strlen(home)) == 0) {
        n -= (int)strlen(home) + 1;
        file += strlen(home) + 1;
    }
    snprintf(d->file, sizeof d->file, "%.*s", n, file);
    d->line = place.line;
    d->column = place.column;
    take_text(d, &error);
    char line[4096];
    if (!d->column && place.text == error.text && source_line(d->file, d->line, line, sizeof line))
        d->column = column_by_caret(s, line);
    return 1;
}

/* The line, or a part of it around the column, with a caret below. */
static void append_line(const struct diagnosis *d, char *text, size_t n)
{
    char line[4096];
    if (!*d->file || d->line < 1 || !source_line(d->file, d->line, line, sizeof line))
        return;
    const int column = d->column > (int)strlen(line) + 1 ? 0 : d->column;
    const int from = column > WINDOW * 3 / 4 ? column - WINDOW / 2 : 0;
    size_t used = strlen(text);
    snprintf(text + used, n - used, "\n%6d | %.*s", d->line, WINDOW, line + from);
    used = strlen(text);
    if (column > from)
        snprintf(text + used, n - used, "\n       | %*s", column - from, "^");
}

void diagnosis_text(const struct diagnosis *d, char *text, size_t n)
{
    char place[48] = "";
    if (d->line > 0 && d->column > 0)
        snprintf(place, sizeof place, ":%d:%d", d->line, d->column);
    else if (d->line > 0)
        snprintf(place, sizeof place, ":%d", d->line);
    snprintf(text, n, "%s%s%serror: %s", d->file, place, *d->file ? ": " : "", d->what);
    append_line(d, text, n);
    const size_t used = strlen(text);
    if (*d->remedy)
        snprintf(text + used, n - used, "\nremedy: %s", d->remedy);
    printable(text);
}

static int keep_log(const char *command, const char *log, const char *keep, char *path)
{
    if (!keep || snprintf(path, PATH_LENGTH, "%s.log", keep) >= PATH_LENGTH)
        return 0;
    FILE *f = fopen(path, "w");
    if (!f)
        return 0;
    const int bad = fprintf(f, "%s\n\n%s\n", command, log) < 0;
    return !fclose(f) && !bad;
}

/* The end of a log that names no error, such as a linker's. */
static void last_lines(const char *log, char *text, size_t n)
{
    const size_t length = strlen(log);
    const char *from = length > n - 1 ? log + length - (n - 1) : log;
    if (from > log && strchr(from, '\n'))
        from = strchr(from, '\n') + 1;
    snprintf(text, n, "%s", from);
    for (size_t k = strlen(text); k > 0 && isspace((unsigned char)text[k - 1]); k--)
        text[k - 1] = '\0';
    printable(text);
}

enum err diagnosis_of_log(const char *kernel, const char *command, const char *log,
                          const char *keep)
{
    char text[PATH_LENGTH + 2048], kept[PATH_LENGTH] = "";
    struct diagnosis *d = malloc(sizeof *d);
    if (!d)
        FAIL(MEMORY, "no memory for the diagnosis of a kernel");
    if (diagnosis_find(log, d))
        diagnosis_text(d, text, sizeof text);
    else
        last_lines(log, text, 1500);
    free(d);
    const int there = keep_log(command, log, keep, kept);
    FAIL(KERNEL, "%s does not compile:\n%s%s%s%s", kernel,
         *text ? text : "(the compiler prints nothing)",
         there ? "\n(the command and the compiler's whole output: " : "", there ? kept : "",
         there ? ")" : "");
}
