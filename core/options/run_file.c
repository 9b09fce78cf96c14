/* Reads run files. */
#include "core/options/run_config.h"

#include <stdio.h>
#include <string.h>

#include "core/base/input_files.h"
#include "core/options/ini_file.h"
#include "core/registry/registry.h"

/* The path of a run file's input as seen from the program's own folder; never a bare name, which
 * could be mistaken for a case. */
static enum err resolve_path(const char *value, const char *run_file, char path[FILE_LENGTH])
{
    const char *slash = strrchr(run_file, '/');
    int n;
    if (*value == '/')
        n = snprintf(path, FILE_LENGTH, "%s", value);
    else if (slash)
        n = snprintf(path, FILE_LENGTH, "%.*s/%s", (int)(slash - run_file), run_file, value);
    else
        n = snprintf(path, FILE_LENGTH, "./%s", value);
    if (n >= FILE_LENGTH)
        FAIL(USAGE, "a path may have at most %d characters", FILE_LENGTH - 1);
    return ERR_OK;
}

static enum err set_input(struct config *c, const char *run_file, const struct setting *s)
{
    const size_t n = strlen(s->value);
    struct catalog known;
    if (strcmp(s->key, "input") == 0 && n >= 4 && strcmp(s->value + n - 4, ".ini") == 0)
        FAIL(USAGE, "'%s' is a run file, which cannot be another's input", s->value);
    if (strcmp(s->key, "input") == 0)
        return resolve_path(s->value, run_file, c->input);
    catalog_fill(&known, LIST_CASES);
    if (!find_case(s->value))
        return catalog_unknown(&known, "case", s->value,
                               "`shoal list cases` lists the cases; give a file as 'input = FILE'");
    snprintf(c->input, FILE_LENGTH, "%s", s->value);
    return ERR_OK;
}

/* `input_line`: the line that gave case or input, 0 if none yet. */
static enum err read_setting(struct config *c, const char *run_file, const struct setting *s,
                             int *input_line)
{
    char value[FILE_LENGTH];
    const struct option *o = option_find(run_options, s->key);
    if (o) {
        TRY(option_move_files(o, s->value, resolve_path, run_file, value));
        return o->type->set(o, c, value);
    }
    if (*input_line)
        FAIL(USAGE, "the run already has an input, on line %d", *input_line);
    *input_line = s->line;
    return set_input(c, run_file, s);
}

/* The option keys, and the two keys that say what to run. */
static enum err check_keys(const struct ini *f)
{
    struct ini_key keys[CATALOG_ENTRIES] = {{"case", 0}, {"input", 0}};
    const struct ini_section known = {.name = "", .keys = keys};
    int count = 2;
    for (const struct option *o = run_options; o->name && count + 1 < CATALOG_ENTRIES; o++)
        if (!o->only_command_line)
            keys[count++] = (struct ini_key){o->name, o->type->repeats ? INI_REPEATS : 0};
    return ini_check(f, &known, 1,
                     "keys are the options' names, which `shoal run --help` explains");
}

static enum err read_settings(struct config *c, const struct ini *f)
{
    int input_line = 0;
    TRY(check_keys(f));
    for (int k = 0; k < f->settings; k++) {
        const enum err e = read_setting(c, f->path, &f->setting[k], &input_line);
        if (e)
            err_context("%s:%d: %s", f->path, f->setting[k].line, f->setting[k].key);
        TRY(e);
    }
    if (!input_line)
        FAIL(USAGE, "run file %s has no input: add a line 'case = NAME' or 'input = FILE'",
             f->path);
    return ERR_OK;
}

enum err runfile_read(struct config *c, const char *path)
{
    struct ini f;
    enum err e = ini_read(&f, path, INI_PLAIN);
    input_files_note(path);
    if (!e)
        e = read_settings(c, &f);
    ini_free(&f);
    return e;
}
