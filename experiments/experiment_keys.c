/* What may stand in an experiment's file. */
#include "experiments/experiment_keys.h"

static const struct ini_key top_keys[] = {
    {"title", 0},   {"chapter", 0},           {"figure", INI_REPEATS},
    {"caption", 0}, {"missing", INI_DEVICES}, {"readme", 0},
    {NULL, 0},
};

static const struct ini_key measure_keys[] = {
    {"kind", 0},
    {"takes", 0},
    {"needs", 0},
    {"backend", 0},
    {"case", INI_BACKENDS},
    {"scheme", INI_BACKENDS},
    {"precision", INI_BACKENDS},
    {"mode", INI_BACKENDS},
    {"nx", INI_BACKENDS},
    {"t-end", INI_BACKENDS},
    {"steps", INI_BACKENDS},
    {"cfl", INI_BACKENDS},
    {"dt-factor", INI_BACKENDS},
    {"limiter", INI_BACKENDS},
    {"early-exit", INI_BACKENDS},
    {"graphs", INI_BACKENDS},
    {"blocks", INI_BACKENDS},
    {"define", INI_BACKENDS},
    {"repeat", INI_BACKENDS},
    {"enough", INI_BACKENDS},
    {"unit-cells", INI_BACKENDS},
    {"error", INI_BACKENDS},
    {"at", INI_BACKENDS},
    {"from-x", INI_BACKENDS},
    {"to-x", INI_BACKENDS},
    {"records", INI_BACKENDS},
    {"after", INI_BACKENDS},
    {"window", INI_BACKENDS},
    {"windows", INI_BACKENDS},
    {"array", INI_BACKENDS},
    {"kernel", INI_BACKENDS},
    {"strategy", INI_BACKENDS},
    {"input", INI_BACKENDS},
    {"marks", INI_BACKENDS},
    {"manning", INI_BACKENDS},
    {"kappa", INI_BACKENDS},
    {"wet-depth", INI_BACKENDS},
    {"maxima-every", INI_BACKENDS},
    {"spacing", INI_BACKENDS},
    {"bed-within", INI_BACKENDS},
    {"volume", INI_BACKENDS},
    {"volume-above", INI_BACKENDS},
    {"volume-within", INI_BACKENDS},
    {NULL, 0},
};

static const struct ini_key data_keys[] = {
    {"name", 0},
    {"from", 0},
    {"where", 0},
    {"column", INI_REPEATS},
    {"relative", INI_REPEATS},
    {"beside", INI_REPEATS},
    {"sort", 0},
    {"texts", 0},
    {"kernel", INI_BACKENDS},
    {"nx", INI_BACKENDS},
    {"precision", INI_BACKENDS},
    {"flags", INI_BACKENDS},
    {"strategy", 0},
    {"repeats", 0},
    {NULL, 0},
};

static const struct ini_key draw_keys[] = {
    {"mark", INI_REPEATS},
    {NULL, 0},
};

static const struct ini_key claim_keys[] = {
    {"id", 0},    {"where", 0},  {"claim", 0},   {"published", 0}, {"ours", 0},
    {"holds", 0}, {"partly", 0}, {"finding", 0}, {NULL, 0},
};

static const struct ini_section known_sections[] = {
    {.name = "", .keys = top_keys},
    {.name = "measure", .keys = measure_keys},
    {.name = "data", .keys = data_keys, .repeats = 1},
    {.name = "draw", .keys = draw_keys, .letters = "abcdefghijklmnopqrstuvwxyz0123456789-"},
    {.name = "facts", .letters = "abcdefghijklmnopqrstuvwxyz0123456789_"},
    {.name = "claim", .keys = claim_keys, .repeats = 1},
};
enum { SECTIONS = sizeof known_sections / sizeof known_sections[0] };

enum err experiment_check(const struct experiment *x)
{
    const struct section *top = experiment_section(x, "", 0),
                         *draw = experiment_section(x, "draw", 0);
    const char *path = x->file.path;
    TRY(ini_check(&x->file, known_sections, SECTIONS, NULL));
    for (int k = 0; k < 2; k++) {
        const char *key = k ? "chapter" : "title";
        if (!experiment_value(x, top, key))
            FAIL(INPUT, "%s: add a line '%s = ...' before the first section", path, key);
    }
    if (!draw)
        FAIL(INPUT, "%s: add a section [draw] with 'shape = ...'", path);
    if (!experiment_value(x, draw, "shape"))
        FAIL(INPUT, "%s:%d: [draw] must have 'shape = ...'", path, draw->line);
    return ERR_OK;
}
