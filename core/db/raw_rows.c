/* The verbatim rows of an environment's files, for digesting each measurement. */
#include "core/db/raw_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/whole_file.h"
#include "core/base/memory.h"

#define HEX "0123456789abcdef"

static const char ending[] = ".tsv";

int db_table_name(const char *file)
{
    const size_t end = sizeof ending - 1, part = 1 + DB_SESSION;
    size_t n = strlen(file);
    if (n <= end || strcmp(file + n - end, ending) != 0)
        return (int)n;
    n -= end;
    if (n > part && file[n - part] == '.' && strspn(file + n - DB_SESSION, HEX) >= DB_SESSION)
        n -= part;
    return (int)n;
}

/* A file: the name of its table and a NUL, then its text. */
struct db_text {
    struct db_text *next;
    char content[];
};

static enum err add_line(struct db_lines *l, const struct db_line *line)
{
    TRY(memory_more(&l->at, l->count, sizeof *l->at, "rows of the tuning database"));
    l->at[l->count++] = *line;
    return ERR_OK;
}

/* Which column is called `session`; -1: none. */
static int session_column(const char *names)
{
    static const char wanted[] = "session";
    const size_t n = sizeof wanted - 1;
    int column = 0;
    for (const char *c = names; *c; c++, column++) {
        const size_t length = strcspn(c, "\t");
        if (length == n && strncmp(c, wanted, n) == 0)
            return column;
        c += length;
        if (!*c)
            break;
    }
    return -1;
}

/* False if the line has no such cell, or its cell is not a session's name. */
static int find_session(const char *text, int column, char session[DB_SESSION + 1])
{
    for (; column > 0; column--) {
        text = strchr(text, '\t');
        if (!text++)
            return 0;
    }
    if (strcspn(text, "\t") != DB_SESSION || strspn(text, HEX) < DB_SESSION)
        return 0;
    memcpy(session, text, DB_SESSION);
    session[DB_SESSION] = '\0';
    return 1;
}

/* The rows of a text that is cut at its line ends. */
static enum err cut(struct db_lines *l, const char *table, char *text)
{
    struct db_line line = {.table = table};
    int column = -1;
    for (char *p = strsep(&text, "\n"); p; p = strsep(&text, "\n")) {
        if (*p == '#' || !*p)
            continue;
        line.text = p;
        if (!line.names) {
            line.names = p;
            column = session_column(p);
        } else if (column >= 0 && find_session(p, column, line.session)) {
            TRY(add_line(l, &line));
        }
    }
    return ERR_OK;
}

enum err db_lines_add(struct db_lines *l, const char *relative, char *text)
{
    const size_t n = (size_t)db_table_name(relative), size = strlen(text) + 1;
    struct db_text *file = malloc(sizeof *file + n + 1 + size);
    if (file) {
        memcpy(file->content, relative, n);
        file->content[n] = '\0';
        memcpy(file->content + n + 1, text, size);
        file->next = l->text;
        l->text = file;
    }
    free(text);
    if (!file)
        FAIL(MEMORY, "no memory for the rows of %s", relative);
    return cut(l, file->content, file->content + n + 1);
}

enum err db_lines_read(struct db_lines *l, const char *folder)
{
    struct db_list list;
    char path[PATH_LENGTH], *text;
    enum err e = ERR_OK;
    TRY(db_list_read(folder, &list));
    for (size_t k = 0; k < list.count; k++) {
        const char *name = list.path[k];
        const size_t n = strlen(name);
        if (n < sizeof ending || strcmp(name + n - (sizeof ending - 1), ending) != 0)
            continue;
        TRY_OUT(db_path(folder, name, path));
        TRY_OUT(whole_file_read(path, WHOLE_DATA, &text, NULL));
        TRY_OUT(db_lines_add(l, name, text));
    }
    db_lines_sort(l);
out:
    db_list_free(&list);
    return e;
}

void db_lines_free(struct db_lines *l)
{
    for (struct db_text *next; l->text; l->text = next) {
        next = l->text->next;
        free(l->text);
    }
    free(l->at);
    *l = (struct db_lines){0};
}

static int differ(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

int db_line_order(const void *a, const void *b)
{
    const struct db_line *x = a, *y = b;
    int order = strcmp(x->session, y->session);
    if (!order)
        order = differ(x->table, y->table);
    if (!order)
        order = differ(x->names, y->names);
    return order ? order : differ(x->text, y->text);
}

void db_lines_sort(struct db_lines *l)
{
    if (l->count)
        qsort(l->at, l->count, sizeof *l->at, db_line_order);
}

const struct db_line *db_lines_of(const struct db_lines *l, const char *session, size_t *count)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(l->at[middle].session, session) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < l->count; ++*count)
        if (strcmp(l->at[low + *count].session, session) != 0)
            break;
    return l->at + low;
}

static void feed(struct sha256 *s, const char *word, const char *text)
{
    sha256_update(s, word, strlen(word));
    sha256_update(s, text, strlen(text));
    sha256_update(s, "\n", 1);
}

void db_lines_digest(const struct db_line *first, size_t count, char hex[SHA256_DIGITS + 1])
{
    struct sha256 s;
    sha256_init(&s);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || differ(first[k - 1].table, first[k].table) != 0 ||
            differ(first[k - 1].names, first[k].names) != 0) {
            feed(&s, "table ", first[k].table);
            feed(&s, "names ", first[k].names);
        }
        feed(&s, "", first[k].text);
    }
    sha256_final(&s, hex);
}
