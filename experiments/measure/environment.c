/* Describes a device and its compiler in the database's manifests. */
#include "experiments/measure/environment.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/compile/c_compiler.h"
#include "core/compile/nvrtc_api.h"
#include "core/device/cuda_api.h"
#include "core/device/cupti.h"
#include "core/db/private_text.h"
#include "core/device/nvml.h"
#include "core/compile/nvrtc.h"
#include "core/base/provenance.h"
#include "core/base/sha256.h"

static const char manifest_name[] = "manifest.json", format_version[] = "1";

/* A text for publication: one line; whatever names a machine or a person is replaced by a
 * digest. */
static void make_public(char value[DB_VALUE + 1])
{
    char what[PRIVATE_ROOM], hex[SHA256_DIGITS + 1];
    struct sha256 sum;
    for (char *c = value; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    if (!db_private(value, what))
        return;
    sha256_init(&sum);
    sha256_update(&sum, value, strlen(value));
    sha256_final(&sum, hex);
    snprintf(value, DB_VALUE + 1, "withheld, SHA-256 %.12s", hex);
}

/* `name` is section/name. An empty value is unknown. */
__attribute__((format(printf, 3, 4))) static void add_entry(struct environment *e, const char *name,
                                                            const char *fmt, ...)
{
    struct db_entry *entry = &e->entry[e->count];
    va_list ap;
    if (e->count == ENVIRONMENT_ENTRIES)
        return;
    va_start(ap, fmt);
    vsnprintf(entry->value, sizeof entry->value, fmt, ap);
    va_end(ap);
    if (!*entry->value)
        return;
    make_public(entry->value);
    snprintf(entry->key, sizeof entry->key, "%s", name);
    e->count++;
}

static void add_number(struct environment *e, const char *name, double x)
{
    if (!isnan(x))
        add_entry(e, name, "%.0f", x);
}

/* The system's name and its version's first two numbers. */
static void add_system(struct environment *e)
{
    struct utsname u;
    if (uname(&u) != 0)
        return;
    size_t n = strspn(u.release, "0123456789");
    if (u.release[n] == '.')
        n += 1 + strspn(u.release + n + 1, "0123456789");
    add_entry(e, "environment/os", "%s %.*s", u.sysname, (int)n, u.release);
}

static void ask_cpu(struct environment *e)
{
    char options[DB_VALUE + 1];
    add_entry(e, "environment/compiler", "%s", e->info.compiler);
    add_entry(e, "environment/march", "%s", e->info.target);
    add_entry(e, "environment/threads", "%d", e->info.units);
    for (int m = 0; m < MODES; m++) {
        cc_options((enum mode)m, e->info.compiler, options, sizeof options);
        add_entry(e, m == STRICT ? "environment/options_strict" : "environment/options_fast", "%s",
                  options);
    }
}

/* NAN where the driver does not tell. */
static double attribute(const struct device_options *o, CUdevice_attribute which)
{
    CUdevice id;
    int value;
    if (cuda_api.cuDeviceGet(&id, o->device) != CUDA_SUCCESS ||
        cuda_api.cuDeviceGetAttribute(&value, which, id) != CUDA_SUCCESS)
        return (double)NAN;
    return value;
}

static void ask_driver(struct environment *e, const struct device_options *o)
{
    const double kib = 1024, mib = 1024 * kib;
    char text[2 * PATH_LENGTH];
    const double major = attribute(o, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const double minor = attribute(o, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    if (!isnan(major + minor))
        add_entry(e, "environment/compute_capability", "%.0f.%.0f", major, minor);
    add_entry(e, "environment/sm_count", "%d", e->info.units);
    add_entry(e, "environment/nvrtc", "%d.%d", nvrtc_api.major, nvrtc_api.minor);
    add_entry(e, "environment/target", "%s", e->info.target);
    add_number(e, "environment/memory_mib", floor((double)e->info.memory / mib));
    add_number(e, "environment/l2_kib", attribute(o, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) / kib);
    const double ecc = attribute(o, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    if (!isnan(ecc))
        add_entry(e, "environment/ecc", "%s", ecc > 0 ? "on" : "off");
    if (cupti_version(text, sizeof text))
        add_entry(e, "environment/cupti", "%s", text);
    for (int m = 0; m < MODES; m++) {
        nvrtc_options((enum mode)m, text, sizeof text);
        add_entry(e, m == STRICT ? "environment/options_strict" : "environment/options_fast", "%s",
                  text);
    }
}

static void ask_nvml(struct environment *e)
{
    struct nvml_limits limits = {.driver = ""};
    struct nvml_state state;
    char text[2 * PATH_LENGTH];
    if (nvml_read_limits(e->info.bus, &limits, text, sizeof text)) {
        add_number(e, "environment/largest_sm_mhz", limits.sm_mhz);
        add_number(e, "environment/largest_memory_mhz", limits.memory_mhz);
        add_number(e, "environment/power_limit_w", limits.watts);
    }
    add_entry(e, "environment/driver", "%s", *limits.driver ? limits.driver : e->info.driver);
    if (!nvml_read(e->info.bus, &state, text, sizeof text))
        return;
    add_number(e, "state/sm_mhz", state.sm_mhz);
    add_number(e, "state/memory_mhz", state.memory_mhz);
    add_number(e, "state/temperature_c", state.celsius);
    add_number(e, "state/power_w", state.watts);
    if (state.reasons_known) {
        nvml_reasons(state.reasons, text, sizeof text);
        add_entry(e, "state/held_down_by", "%s", text);
    }
}

void environment_probe(struct environment *e, enum backend_kind backend,
                       const struct device_options *o)
{
    const struct backend *b = backends[backend];
    struct device *device = NULL;
    *e = (struct environment){.backend = backend};
    if (!b->available(o->device, e->why, sizeof e->why))
        return;
    if (b->open(&device, o)) {
        snprintf(e->why, sizeof e->why, "%s", err_message());
        return;
    }
    e->info = *b->info(device);
    add_entry(e, "environment/backend", "%s", b->name);
    add_entry(e, "environment/device", "%s", e->info.name);
    add_system(e);
    if (backend == CUDA) {
        ask_driver(e, o);
        ask_nvml(e);
    } else {
        ask_cpu(e);
    }
    b->close(device);
    e->why[0] = '\0';
    e->here = 1;
    qsort(e->entry, (size_t)e->count, sizeof *e->entry, db_entry_order);
    const struct db_manifest m = {.entry = e->entry, .count = (size_t)e->count};
    db_manifest_hash(&m, e->hash);
}

void environment_divide(struct environment *e, const struct division *d)
{
    struct device_list l = d->devices;
    char parts[FILE_LENGTH], name[DB_VALUE + 1], why[512];
    int devices = 0, written = 0, count = shares_parts(&d->parts);
    for (; l.all && backends[e->backend]->available(l.count, why, sizeof why); l.count++)
        l.of[l.count] = l.count;
    if (e->backend != CUDA)
        l.count = 0;
    if (count > 0) {
        shares_print(&d->parts, parts, sizeof parts);
    } else {
        count = l.count > 1 ? l.count : 1;
        snprintf(parts, sizeof parts, "%d", count);
    }
    if (count == 1)
        return;
    for (int k = 0; k < l.count && k < count; k++)
        devices += !devices_have(&l, k, l.of[k]);
    if (devices > 1)
        written = snprintf(name, sizeof name, "%d x ", devices);
    snprintf(name + written, sizeof name - (size_t)written, "%.200s, %.200s parts", e->info.name,
             parts);
    for (int k = 0; k < e->count; k++)
        if (strcmp(e->entry[k].key, "environment/device") == 0)
            snprintf(e->entry[k].value, sizeof e->entry[k].value, "%s", name);
    const struct db_manifest m = {.entry = e->entry, .count = (size_t)e->count};
    db_manifest_hash(&m, e->hash);
}

/* As the manifest has it. */
static const char *device_of(const struct environment *e)
{
    for (int k = 0; k < e->count; k++)
        if (strcmp(e->entry[k].key, "environment/device") == 0)
            return e->entry[k].value;
    return "";
}

/* Has an environment's manifest changed. */
static enum err change(const char *folder, enum err (*set)(struct db_manifest *m, void *context),
                       void *context)
{
    char path[PATH_LENGTH];
    TRY(db_path(folder, manifest_name, path));
    return db_manifest_change(path, set, context);
}

static enum err set_environment(struct db_manifest *m, void *context)
{
    const struct environment *e = *(const struct environment *const *)context;
    TRY(db_manifest_set(m, "format", format_version));
    for (int k = 0; k < e->count; k++)
        if (strncmp(e->entry[k].key, "environment/", strlen("environment/")) == 0)
            TRY(db_manifest_set(m, e->entry[k].key, e->entry[k].value));
    return ERR_OK;
}

enum err environment_folder(const struct environment *e, const char *database,
                            char folder[PATH_LENGTH])
{
    char name[DB_NAME + 1], device[PATH_LENGTH], path[PATH_LENGTH];
    db_device_folder(device_of(e), name);
    if (!*name)
        FAIL(INPUT,
             "the device's name, '%s', has neither letters nor digits for the name of a folder",
             device_of(e));
    TRY(db_path(database, name, device));
    TRY(db_path(device, e->hash, path));
    strcpy(folder, path);
    TRY(paths_folder(database, "SHOAL_DB names another database"));
    TRY(paths_folder(device, "SHOAL_DB names another database"));
    TRY(paths_folder(folder, "SHOAL_DB names another database"));
    return change(folder, set_environment, &e);
}

struct flags {
    const char *text;
    char *name;
};

/* Finds the name, or the first free one. */
static enum err set_flags(struct db_manifest *m, void *context)
{
    static const char section[] = "flags/";
    const struct flags *f = context;
    const char *base = strncmp(f->text, "mode=strict", 11) == 0 ? "strict" : "fast";
    char key[DB_KEY + 1];
    for (size_t k = 0; k < m->count; k++)
        if (strncmp(m->entry[k].key, section, sizeof section - 1) == 0 &&
            strcmp(m->entry[k].value, f->text) == 0) {
            snprintf(f->name, DB_FLAGS + 1, "%s", m->entry[k].key + sizeof section - 1);
            return ERR_OK;
        }
    snprintf(f->name, DB_FLAGS + 1, "%s", base);
    for (int k = 2; db_manifest_get(m, "flags", f->name); k++)
        snprintf(f->name, DB_FLAGS + 1, "%s-%d", base, k);
    snprintf(key, sizeof key, "%s%s", section, f->name);
    return db_manifest_set(m, key, f->text);
}

enum err environment_flags(const char *folder, const char *text, char name[DB_FLAGS + 1])
{
    struct flags f = {text, name};
    return change(folder, set_flags, &f);
}

struct source {
    const struct text_digests *digests;
    const char *file;
};

/* A text's description does not depend on who tunes it: two clones have the same. */
static enum err set_source(struct db_manifest *m, void *context)
{
    const struct source *s = context;
    char key[DB_KEY + 1], value[DB_VALUE + 1];
    snprintf(key, sizeof key, "sources/%.*s", DB_HASH, s->digests->text);
    snprintf(value, sizeof value, "%s, SHA-256 %s", s->file, s->digests->text);
    TRY(db_manifest_set(m, key, value));
    snprintf(key, sizeof key, "codes/%.*s", DB_HASH, s->digests->text);
    return db_manifest_set(m, key, s->digests->code);
}

enum err environment_source(const char *folder, const struct text_digests *d, const char *file)
{
    struct source s = {d, file};
    return change(folder, set_source, &s);
}

struct session {
    const char *name;
    const struct db_pair *pairs;
    int count;
};

static enum err set_member(struct db_manifest *m, const char *session, const char *name,
                           const char *value)
{
    char key[DB_KEY + 1], text[DB_VALUE + 1];
    if (snprintf(key, sizeof key, "sessions/%s/%s", session, name) > DB_KEY)
        FAIL(INPUT, "session %s: '%s' is too long a name", session, name);
    snprintf(text, sizeof text, "%s", value);
    make_public(text);
    return db_manifest_set(m, key, text);
}

/* A new session's commit, program and time; what it began with is what it ends with. */
static enum err begin_session(struct db_manifest *m, const char *session)
{
    char started[DB_TIME];
    struct provenance p;
    TRY(provenance_find(&p));
    db_time(time(NULL), started);
    TRY(set_member(m, session, "started", started));
    TRY(set_member(m, session, "commit", p.commit));
    TRY(set_member(m, session, "committed", p.committed));
    TRY(set_member(m, session, "program", p.program));
    return set_member(m, session, "dirty", p.dirty);
}

static enum err set_session(struct db_manifest *m, void *context)
{
    const struct session *s = context;
    if (!db_session_get(m, s->name, "started"))
        TRY(begin_session(m, s->name));
    for (int k = 0; k < s->count; k++)
        TRY(set_member(m, s->name, s->pairs[k].name, s->pairs[k].value));
    return ERR_OK;
}

enum err environment_session(const char *folder, const char *session, const struct db_pair *pairs,
                             int count)
{
    struct session s = {session, pairs, count};
    return change(folder, set_session, &s);
}

enum err environment_new_session(char session[DB_SESSION + 1])
{
    unsigned number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        FAIL(MACHINE, "no random number for the session: %s", strerror(errno));
    snprintf(session, DB_SESSION + 1, "%08x", number);
    return ERR_OK;
}
