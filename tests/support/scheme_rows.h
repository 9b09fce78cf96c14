/* Rows of the experiments `schemes` and `accuracy`, from which --scheme auto chooses; include after database.h. */
#ifndef SHOAL_TEST_SCHEME_ROWS_H
#define SHOAL_TEST_SCHEME_ROWS_H

#include "core/device/backend.h"
#include "experiments/measure/measure.h"

#define COLUMNS   \
    POINT_COLUMNS \
    "\tsession\toutcome\treason\tfrom\tsteps\tredone\tleft_out\tt\twall_s\tmcells_per_s\tl1\n"

#define ANY_ROW(flow, scheme, p, mode, blocks, n, cfl, run, session, wall, l1)           \
    flow "\t" scheme "\t" p "\t" mode "\t" n "\t" n "\t" cfl "\t-\tminmod\toff\t" blocks \
         "\t-\t" run "\t" session "\tok\t-\ttuned\t150\t0\t0\t5\t" wall "\t1.00\t" l1 "\n"
#define ROW_WITH(scheme, p, mode, blocks, n, run, session, wall) \
    ANY_ROW("sine", scheme, p, mode, blocks, n, "0.25", run, session, wall, "-")
#define ROW_AT(scheme, cfl, wall) \
    ANY_ROW("sine", scheme, "f32", "fast", "tuned", "64", cfl, "1", "0000000a", wall, "-")
#define ERROR_ROW(flow, scheme, p, n, cfl, run, session, l1) \
    ANY_ROW(flow, scheme, p, "fast", "tuned", n, cfl, run, session, "1.000000", l1)
#define ROW(scheme, p, n, run, session, wall) \
    ROW_WITH(scheme, p, "fast", "tuned", n, run, session, wall)

/* An environment of this CPU with that many threads (0: it does not say), and its folder for experiments. */
static inline void build_for_this_cpu(int threads)
{
    const struct device_options o = {.threads = 1, .march = "native"};
    char folder[DB_NAME + 1], text[2048], hash[DB_HASH + 1], path[PATH_LENGTH], has[32] = "";
    struct db_manifest m;
    struct device *dev;
    assert_fine(backend_cpu.open(&dev, &o));
    const char *name = backend_cpu.info(dev)->name;
    db_device_folder(name, folder);
    if (threads)
        snprintf(has, sizeof has, ", \"threads\": \"%d\"", threads);
    snprintf(text, sizeof text,
             "{\"format\": 1, \"environment\": {\"backend\": \"cpu\", \"device\": \"%s\"%s}, "
             "\"flags\": {\"fast\": \"-\"},\n" SESSIONS "}\n",
             name, has);
    backend_cpu.close(dev);
    scratch_write("manifest.json", "w", text);
    scratch_path(path, "manifest.json");
    assert_fine(db_manifest_read(path, &m));
    db_manifest_hash(&m, hash);
    db_manifest_free(&m);
    build_environment(folder, hash, text);
    scratch_folder(inside("experiments"));
}

#endif
