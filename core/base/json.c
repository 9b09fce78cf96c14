/* A strict reader of JSON. */
#include "core/base/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts end in a NUL while they are read, which no valid JSON holds outside a string. */
struct reader {
    const char *name, *at, *end;
    int line, depth;
    struct json *node; /* the next one to use; there are enough for all */
    char *text;        /* where the next text goes; there is room for all */
};

static enum err wrong(const struct reader *r, const char *wanted)
{
    if (r->at == r->end)
        FAIL(INPUT, "%s:%d: %s is wanted, and the text ends here", r->name, r->line, wanted);
    FAIL(INPUT, "%s:%d: %s is wanted at '%.*s'", r->name, r->line, wanted,
         (int)strcspn(r->at, "\n") < 16 ? (int)strcspn(r->at, "\n") : 16, r->at);
}

static void skip_space(struct reader *r)
{
    for (; *r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'; r->at++)
        r->line += *r->at == '\n';
}

/* Four hexadecimal digits; -1 if there are others. */
static int read_hex(const char *p)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    int value = 0;
    for (int k = 0; k < 4; k++) {
        const char *digit = p[k] ? strchr(digits, p[k]) : NULL;
        if (!digit)
            return -1;
        value = 16 * value + (int)(digit - digits) % 16;
    }
    return value;
}

static void put_utf8(struct reader *r, int code)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
    *r->text++ = (char)(lead[more] | code >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        *r->text++ = (char)(0x80 | (code >> 6 * k & 0x3f));
}

/* What follows \u, a second one with it where the first is half of a pair. */
static enum err read_code(struct reader *r)
{
    int code = read_hex(r->at);
    if (code < 0)
        return wrong(r, "four hexadecimal digits");
    if (code == 0)
        return wrong(r, "another character (a text cannot hold a NUL)");
    r->at += 4;
    if (code >= 0xd800 && code < 0xe000) {
        const int low = r->at[0] == '\\' && r->at[1] == 'u' ? read_hex(r->at + 2) : -1;
        if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
            return wrong(r, "the other half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        r->at += 6;
    }
    put_utf8(r, code);
    return ERR_OK;
}

static enum err read_escape(struct reader *r)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *r->at ? strchr(letters, *r->at) : NULL;
    if (*r->at == 'u') {
        r->at++;
        return read_code(r);
    }
    if (!letter)
        return wrong(r, "one of \" \\ / b f n r t u after a backslash");
    *r->text++ = meant[letter - letters];
    r->at++;
    return ERR_OK;
}

int json_utf8(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const int n = p[0] < 0x80                   ? 1
                  : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                  : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                  : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                : 0;
    for (int k = 1; k < n; k++)
        if ((p[k] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return n;
}

static enum err read_string(struct reader *r, const char **text)
{
    if (*r->at != '"')
        return wrong(r, "a text in quotes");
    *text = r->text;
    for (r->at++; *r->at != '"';) {
        if ((unsigned char)*r->at < ' ')
            return wrong(r, "the text's closing quote (control characters need an escape)");
        if (*r->at == '\\') {
            r->at++;
            TRY(read_escape(r));
            continue;
        }
        int n = json_utf8(r->at);
        if (n == 0)
            return wrong(r, "UTF-8");
        for (; n; n--)
            *r->text++ = *r->at++;
    }
    *r->text++ = '\0';
    r->at++;
    return ERR_OK;
}

static size_t digits(const char *p)
{
    return strspn(p, "0123456789");
}

static enum err read_number(struct reader *r, struct json *v)
{
    const char *p = r->at + (*r->at == '-');
    const size_t whole = digits(p);
    if (whole == 0 || (*p == '0' && whole > 1))
        return wrong(r, "a value");
    p += whole;
    if (*p == '.') {
        if (!digits(p + 1))
            return wrong(r, "a digit after the point");
        p += 1 + digits(p + 1);
    }
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        if (!digits(p))
            return wrong(r, "an exponent's digits");
        p += digits(p);
    }
    const size_t n = (size_t)(p - r->at);
    v->text = memcpy(r->text, r->at, n);
    r->text += n;
    *r->text++ = '\0';
    v->number = strtod(v->text, NULL);
    if (!isfinite(v->number))
        return wrong(r, "a smaller number");
    r->at = p;
    return ERR_OK;
}

struct name {
    const char *text;
    int line;
};

static int by_name(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : x->line - y->line;
}

static enum err check_names(const struct reader *r, const struct json *object)
{
    size_t n = 0, k = 1;
    enum err e = ERR_OK;
    struct name *all = calloc(object->count + 1, sizeof *all);
    if (!all)
        FAIL(MEMORY, "no memory to read %s", r->name);
    for (const struct json *v = object->first; v; v = v->next)
        all[n++] = (struct name){v->name, v->line};
    qsort(all, n, sizeof *all, by_name);
    while (k < n && strcmp(all[k - 1].text, all[k].text) != 0)
        k++;
    if (k < n)
        e = err_set(ERR_INPUT, __FILE__, __LINE__,
                    "%s:%d: '%s' stands twice in this object; delete one", r->name, all[k].line,
                    all[k].text);
    free(all);
    return e;
}

static enum err read_value(struct reader *r, struct json *v);

static enum err read_member(struct reader *r, struct json *parent, struct json **last)
{
    const char *name = NULL;
    skip_space(r);
    if (parent->kind == JSON_OBJECT) {
        TRY(read_string(r, &name));
        skip_space(r);
        if (*r->at != ':')
            return wrong(r, "a colon after the name");
        r->at++;
    }
    struct json *v = r->node++;
    *v = (struct json){.name = name};
    TRY(read_value(r, v));
    if (*last)
        (*last)->next = v;
    else
        parent->first = v;
    *last = v;
    parent->count++;
    return ERR_OK;
}

static enum err read_members(struct reader *r, struct json *v)
{
    const char close = *r->at == '{' ? '}' : ']';
    struct json *last = NULL;
    v->kind = close == '}' ? JSON_OBJECT : JSON_LIST;
    if (++r->depth > JSON_DEEPEST)
        return wrong(r, "less depth (64 levels at most)");
    r->at++;
    skip_space(r);
    while (*r->at != close || last) {
        TRY(read_member(r, v, &last));
        skip_space(r);
        if (*r->at == close)
            break;
        if (*r->at != ',')
            return wrong(r, close == '}' ? "a comma or }" : "a comma or ]");
        r->at++;
    }
    r->at++;
    r->depth--;
    return v->kind == JSON_OBJECT ? check_names(r, v) : ERR_OK;
}

static enum err read_value(struct reader *r, struct json *v)
{
    static const char *const words[] = {
        [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
    skip_space(r);
    v->line = r->line;
    if (*r->at == '{' || *r->at == '[')
        return read_members(r, v);
    if (*r->at == '"') {
        v->kind = JSON_STRING;
        return read_string(r, &v->text);
    }
    for (int k = JSON_NULL; k <= JSON_TRUE; k++) {
        if (strncmp(r->at, words[k], strlen(words[k])) != 0)
            continue;
        v->kind = (enum json_kind)k;
        r->at += strlen(words[k]);
        return ERR_OK;
    }
    v->kind = JSON_NUMBER;
    return read_number(r, v);
}

static enum err read_root(struct reader *r, struct json *root)
{
    TRY(read_value(r, root));
    skip_space(r);
    return r->at == r->end ? ERR_OK : wrong(r, "the end");
}

/* A value that is not the root follows one of [ , : and each text with its NUL is shorter than what
 * it is read from, or (a number) is followed by one that is no part of a text. */
static enum err parse(const char *name, const char *text, size_t size, struct json_tree *tree)
{
    size_t nodes = 1;
    for (size_t k = 0; k < size; k++)
        nodes += text[k] == '[' || text[k] == ',' || text[k] == ':';
    struct json *root = malloc(nodes * sizeof *root + size + 1);
    if (!root)
        FAIL(MEMORY, "no memory to read %s", name);
    *root = (struct json){0};
    struct reader r = {.name = name,
                       .at = text,
                       .end = text + size,
                       .line = 1,
                       .node = root + 1,
                       .text = (char *)(root + nodes)};
    const enum err e = read_root(&r, root);
    *tree = (struct json_tree){root, root};
    if (e)
        json_free(tree);
    return e;
}

enum err json_parse(const char *name, const char *text, size_t size, struct json_tree *tree)
{
    *tree = (struct json_tree){0};
    if (size > JSON_LARGEST)
        FAIL(INPUT, "%s: %zu MB, and at most %d are read", name, size >> 20, JSON_LARGEST >> 20);
    char *copy = malloc(size + 1);
    if (!copy)
        FAIL(MEMORY, "no memory to read %s", name);
    memcpy(copy, text, size);
    copy[size] = '\0';
    const enum err e = parse(name, copy, size, tree);
    free(copy);
    return e;
}

enum err json_load(const char *path, char **text, size_t *size)
{
    enum err e = ERR_OK;
    size_t room = 1 << 16;
    *text = NULL;
    *size = 0;
    FILE *f = fopen(path, "rb");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    for (size_t n = 1; n && *size <= JSON_LARGEST; *size += n) {
        if (*size + 1 >= room / 2 || !*text) {
            room *= 2;
            char *larger = realloc(*text, room);
            if (!larger) {
                e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory to read %s", path);
                goto out;
            }
            *text = larger;
        }
        n = fread(*text + *size, 1, room - *size - 1, f);
    }
    (*text)[*size] = '\0';
    if (ferror(f))
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: cannot be read: %s", path, strerror(errno));
out:
    if (e) {
        free(*text);
        *text = NULL;
    }
    fclose(f);
    return e;
}

void json_free(struct json_tree *tree)
{
    free(tree->memory);
    *tree = (struct json_tree){0};
}

const struct json *json_get(const struct json *object, const char *name)
{
    if (object->kind != JSON_OBJECT)
        return NULL;
    for (const struct json *v = object->first; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

const char *json_text(const struct json *object, const char *name)
{
    const struct json *v = json_get(object, name);
    return v && v->kind == JSON_STRING ? v->text : NULL;
}
