/* Parses settings files. */
#include "core/options/ini_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/key_value.h"
#include "core/base/printable.h"
#include "core/base/whole_file.h"

struct reader {
    struct ini *f;
    enum ini_form form;
    char *to; /* where the next text goes, after the others */
    int line;
};

static const char *keep_text(struct reader *r, const char *text)
{
    char *kept = r->to;
    r->to = stpcpy(kept, text) + 1;
    return kept;
}

static enum err begin_section(struct reader *r, char *text)
{
    struct ini *f = r->f;
    char *end = strchr(text, ']');
    if (!end || end[1])
        FAIL(INPUT, "%s:%d: '%.80s' is not a section: expected [name]", f->path, r->line, text);
    *end = '\0';
    f->section[f->sections++] = (struct section){
        .name = keep_text(r, keyvalue_trim(text + 1)), .line = r->line, .first = f->settings};
    return ERR_OK;
}

/* The last setting's value is the last text stored, so it can grow. A query keeps its line breaks,
 * so that a comment in it ends with its line. */
static enum err continue_value(struct reader *r, const char *text)
{
    const struct ini *f = r->f;
    if (f->section[f->sections - 1].count == 0)
        FAIL(INPUT,
             "%s:%d: a line that begins with a blank continues the value above, but there is none: "
             "begin the line with its key",
             f->path, r->line);
    const struct setting *last = &f->setting[f->settings - 1];
    r->to--;
    if (*last->value)
        *r->to++ = strncmp(last->key, "sql", strlen("sql")) == 0 ? '\n' : ' ';
    keep_text(r, text);
    return ERR_OK;
}

/* Inside double quotes, \" and \\ are a quote and a backslash, and # does not begin a comment. */
static enum err unquote(char *value)
{
    char *to = value;
    const char *from = value + 1;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    if (*from != '"')
        FAIL(INPUT, "the closing quote is missing");
    for (from++; isspace((unsigned char)*from);)
        from++;
    if (*from && *from != '#')
        FAIL(INPUT, "'%s' follows the closing quote", from);
    *to = '\0';
    return ERR_OK;
}

static enum err read_setting(struct reader *r, char *text)
{
    struct ini *f = r->f;
    char *key, *value;
    if (!keyvalue_split(text, &key, &value))
        FAIL(INPUT,
             "%s:%d: '%.80s' is not a setting: expected 'key = value'%s, or a comment that begins "
             "with #",
             f->path, r->line, text,
             r->form == INI_SECTIONS ? ", [section], a blank and a continued value"
                                     : ", such as 'maxima = yes'");
    value = keyvalue_trim(value);
    if (r->form == INI_SECTIONS || *value != '"') {
        value = keyvalue_uncomment(value);
    } else if (unquote(value)) {
        err_context("%s:%d: %s", f->path, r->line, key);
        return err_last();
    }
    struct setting *setting = &f->setting[f->settings++];
    setting->line = r->line;
    setting->key = keep_text(r, key);
    setting->value = keep_text(r, value);
    f->section[f->sections - 1].count++;
    return ERR_OK;
}

static enum err read_line(struct reader *r, char *line)
{
    const int sections = r->form == INI_SECTIONS, goes_on = isspace((unsigned char)*line);
    if (sections && !is_utf8(line))
        FAIL(INPUT, "%s:%d: this line is not UTF-8: save the file in that encoding", r->f->path,
             r->line);
    char *text = keyvalue_trim(line);
    if (!*text || *text == '#')
        return ERR_OK;
    if (sections && goes_on)
        return continue_value(r, keyvalue_uncomment(text));
    if (sections && *text == '[')
        return begin_section(r, keyvalue_uncomment(text));
    return read_setting(r, text);
}

/* The stored text of a line is no longer than the line. */
static enum err read_lines(struct ini *f, enum ini_form form, char *text, size_t size)
{
    struct reader r = {.f = f, .form = form};
    size_t lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    if (strlen(text) < size)
        FAIL(INPUT, "%s:%zu: this is not a text file", f->path, lines);
    f->text = calloc(size + 3, 1);
    f->setting = calloc(lines, sizeof *f->setting);
    f->section = calloc(lines + 1, sizeof *f->section);
    if (!f->text || !f->setting || !f->section)
        FAIL(MEMORY, "no memory to read %s", f->path);
    r.to = f->text;
    f->section[f->sections++] = (struct section){.name = keep_text(&r, ""), .line = 1};
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        r.line++;
        TRY(read_line(&r, line));
    }
    return ERR_OK;
}

static enum err read_file(struct ini *f, enum ini_form form)
{
    char *text;
    size_t n;
    TRY(whole_file_read(f->path, WHOLE_TEXT, &text, &n));
    char *begin = keyvalue_begin(text);
    n -= (size_t)(begin - text);
    const enum err e = n ? read_lines(f, form, begin, n)
                         : err_set(ERR_INPUT, __FILE__, __LINE__, "%s: the file is empty", f->path);
    free(text);
    return e;
}

enum err ini_read(struct ini *f, const char *path, enum ini_form form)
{
    *f = (struct ini){0};
    if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path)
        FAIL(INPUT, "%.80s...: a path may have at most %d characters", path, PATH_LENGTH - 1);
    return read_file(f, form);
}

void ini_free(struct ini *f)
{
    free(f->text);
    free(f->setting);
    free(f->section);
    *f = (struct ini){0};
}

const struct section *ini_section(const struct ini *f, const char *name, int nth)
{
    for (int k = 0; k < f->sections; k++)
        if (strcmp(f->section[k].name, name) == 0 && nth-- == 0)
            return &f->section[k];
    return NULL;
}

const char *ini_value(const struct ini *f, const struct section *s, const char *key, int nth)
{
    for (int k = 0; s && k < s->count; k++) {
        const struct setting *setting = &f->setting[s->first + k];
        if (strcmp(setting->key, key) == 0 && nth-- == 0)
            return setting->value;
    }
    return NULL;
}
