/* Takes READMEs apart. */
#include "tests/support/readme.h"

#include <stdio.h>
#include <string.h>

static int begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static int ends(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

static int is_source(const char *path)
{
    const int ours =
        begins(path, "kernels/") || begins(path, "schemes/") || begins(path, "verification/");
    const int beside =
        !strchr(path, '/') && strspn(path, "abcdefghijklmnopqrstuvwxyz.") == strlen(path);
    return (ours && (ends(path, ".c") || ends(path, ".h") || ends(path, ".cu"))) ||
           (beside && (ends(path, ".txt") || ends(path, ".ini") || ends(path, ".py")));
}

/* The last file of ours that a paragraph names in backticks; "" if it names none. */
static void last_path(const char *paragraph, char path[128])
{
    *path = '\0';
    for (const char *open = strchr(paragraph, '`'), *close; open; open = strchr(close + 1, '`')) {
        char word[128];
        if (!(close = strchr(open + 1, '`')))
            return;
        snprintf(word, sizeof word, "%.*s", (int)(close - open - 1), open + 1);
        if (is_source(word))
            strcpy(path, word);
    }
}

static void classify(struct readme_block *b, const char *paragraph)
{
    b->kind = README_SHOWN;
    last_path(paragraph, b->path);
    if (begins(b->text, "make") || begins(b->text, "build/shoal") || begins(b->text, "sh manual/"))
        b->kind = README_COMMANDS;
    else if (ends(paragraph, " prints") || strcmp(paragraph, "prints") == 0)
        b->kind = README_PRINTED;
    else if (*b->path && ends(paragraph, ":"))
        b->kind = README_FILE;
    else if (*b->path && ends(paragraph, " has"))
        b->kind = README_PART;
}

/* Adds a line and the empty ones before it; 0 if there is no room. */
static int append(char *text, size_t size, int empty, const char *line)
{
    size_t n = strlen(text);
    for (; empty > 0 && n + 1 < size; empty--)
        text[n++] = '\n';
    const int added = snprintf(text + n, size - n, "%s\n", line);
    return added > 0 && (size_t)added < size - n;
}

/* The state while lines go by: the last paragraph, the block under way, the empty lines since. */
struct reading {
    char paragraph[4096];
    struct readme_block *block;
    int most, count, inside, empty;
};

static int read_block_line(struct reading *r, const char *line, int number)
{
    if (!r->inside) {
        if (r->count == r->most)
            return 0;
        r->block[r->count] = (struct readme_block){.line = number};
    }
    struct readme_block *b = &r->block[r->count];
    if (!append(b->text, sizeof b->text, r->inside ? r->empty : 0, line + 4))
        return 0;
    r->inside = 1;
    r->empty = 0;
    return 1;
}

static void end_block(struct reading *r)
{
    if (r->inside) {
        classify(&r->block[r->count++], r->paragraph);
        *r->paragraph = '\0';
    }
    r->inside = 0;
}

static int read_line(struct reading *r, const char *line, int number)
{
    if (!*line) {
        r->empty++;
        return 1;
    }
    if (begins(line, "    "))
        return read_block_line(r, line, number);
    end_block(r);
    if (r->empty)
        *r->paragraph = '\0';
    r->empty = 0;
    const size_t n = strlen(r->paragraph);
    const char *between = n ? " " : "";
    snprintf(r->paragraph + n, sizeof r->paragraph - n, "%s%s", between, line);
    return 1;
}

int readme_blocks(const char *text, const char *title, struct readme_block *b, int most)
{
    struct reading r = {.block = b, .most = most};
    int number = 0, found = !*title, fine = 1;
    while (*text && fine) {
        char line[1024];
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        text += n + (text[n] == '\n');
        number++;
        if (*title && begins(line, "## ")) {
            if (found)
                break;
            found = strcmp(line + 3, title) == 0;
        } else if (found) {
            fine = read_line(&r, line, number);
        }
    }
    end_block(&r);
    return found && fine ? r.count : -1;
}
