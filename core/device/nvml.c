/* Opens NVML, finds a GPU by its PCI bus id, and formats its clocks, temperature and power. */
#include "core/device/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shared_library.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Names and numbers of NVIDIA's "NVML API Reference Guide", as far as used here. */
typedef struct nvml_device *nvmlDevice_t;
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0 };

/* name here, name in the library, parameters: the first three are essential */
#define NEEDED(X)                  \
    X(init, "nvmlInit_v2", (void)) \
    X(find, "nvmlDeviceGetHandleByPciBusId_v2", (const char *bus, nvmlDevice_t *d))
#define OPTIONAL(X)                                                                             \
    X(clock, "nvmlDeviceGetClockInfo", (nvmlDevice_t d, int kind, unsigned *mhz))               \
    X(temperature, "nvmlDeviceGetTemperature", (nvmlDevice_t d, int sensor, unsigned *c))       \
    X(power, "nvmlDeviceGetPowerUsage", (nvmlDevice_t d, unsigned *milliwatts))                 \
    X(energy, "nvmlDeviceGetTotalEnergyConsumption",                                            \
      (nvmlDevice_t d, unsigned long long *millijoules))                                        \
    X(limit, "nvmlDeviceGetEnforcedPowerLimit", (nvmlDevice_t d, unsigned *milliwatts))         \
    X(power_limit, "nvmlDeviceGetPowerManagementLimit", (nvmlDevice_t d, unsigned *milliwatts)) \
    X(largest_clock, "nvmlDeviceGetMaxClockInfo", (nvmlDevice_t d, int kind, unsigned *mhz))    \
    X(driver, "nvmlSystemGetDriverVersion", (char *text, unsigned room))                        \
    X(events, "nvmlDeviceGetCurrentClocksEventReasons",                                         \
      (nvmlDevice_t d, unsigned long long *reasons))                                            \
    X(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons",                                    \
      (nvmlDevice_t d, unsigned long long *reasons))

struct nvml_api {
    const char *(*error)(int result);
#define MEMBER(name, symbol, parameters) int(*name) parameters;
    NEEDED(MEMBER)
    OPTIONAL(MEMBER)
#undef MEMBER
};

#define SYMBOL(name, symbol, parameters) {symbol, offsetof(struct nvml_api, name)},
static const struct library_symbol needed[] = {
    {"nvmlErrorString", offsetof(struct nvml_api, error)}, NEEDED(SYMBOL)};
static const struct library_symbol optional[] = {OPTIONAL(SYMBOL)};
#undef SYMBOL

/* Stays open until the process ends, like the driver it belongs to. */
static struct nvml_api api;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static int start(struct nvml_api *a, char *why, size_t n)
{
    const char *name = getenv("SHOAL_LIBNVML");
    void *library = dlopen(name && *name ? name : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, n, "no NVML (%s); NVIDIA's driver contains it", dlerror());
        return 0;
    }
    const char *missing = library_resolve(library, a, needed, COUNT_OF(needed));
    if (missing) {
        snprintf(why, n, "NVML, NVIDIA's management library, lacks %s; update the driver", missing);
        dlclose(library);
        return 0;
    }
    library_resolve(library, a, optional, COUNT_OF(optional));
    int result = a->init();
    if (result != NVML_SUCCESS) {
        snprintf(why, n, "NVML does not start: %s (error %d); check that `nvidia-smi` works",
                 a->error(result), result);
        return 0;
    }
    return 1;
}

static int open_once(char *why, size_t n)
{
    static int opened;
    pthread_mutex_lock(&opening);
    if (!opened) {
        struct nvml_api fresh = {0};
        opened = start(&fresh, why, n);
        if (opened)
            api = fresh;
    }
    int result = opened;
    pthread_mutex_unlock(&opening);
    return result;
}

/* By address: the call that returns `result` fills the value first. */
static double told(int result, const unsigned *value, double unit)
{
    return result == NVML_SUCCESS ? *value * unit : (double)NAN;
}

static double clock_of(nvmlDevice_t d, int kind)
{
    unsigned mhz = 0;
    return told(api.clock ? api.clock(d, kind, &mhz) : -1, &mhz, 1);
}

static double largest_clock_of(nvmlDevice_t d, int kind)
{
    unsigned mhz = 0;
    return told(api.largest_clock ? api.largest_clock(d, kind, &mhz) : -1, &mhz, 1);
}

/* Drivers before 535 know only the older name. */
static int read_reasons(nvmlDevice_t d, unsigned long long *reasons)
{
    return (api.events && api.events(d, reasons) == NVML_SUCCESS) ||
           (api.throttle && api.throttle(d, reasons) == NVML_SUCCESS);
}

static int find(const char *bus, nvmlDevice_t *d, char *why, size_t n)
{
    if (!*bus) {
        snprintf(why, n, "the CUDA driver does not give the PCI bus id by which NVML finds a GPU");
        return 0;
    }
    if (!open_once(why, n))
        return 0;
    int result = api.find(bus, d);
    if (result == NVML_SUCCESS)
        return 1;
    snprintf(why, n,
             "NVML does not find the GPU on PCI bus %s: %s (error %d); a container needs the "
             "driver's utilities, too",
             bus, api.error(result), result);
    return 0;
}

int nvml_read(const char *bus, struct nvml_state *s, char *why, size_t n)
{
    nvmlDevice_t d = NULL;
    unsigned celsius = 0, draw = 0, limit = 0;
    if (!find(bus, &d, why, n))
        return 0;
    s->sm_mhz = clock_of(d, NVML_CLOCK_SM);
    s->memory_mhz = clock_of(d, NVML_CLOCK_MEM);
    s->celsius = told(api.temperature ? api.temperature(d, NVML_TEMPERATURE_GPU, &celsius) : -1,
                      &celsius, 1);
    s->watts = told(api.power ? api.power(d, &draw) : -1, &draw, 1e-3);
    s->watt_limit = told(api.limit ? api.limit(d, &limit) : -1, &limit, 1e-3);
    s->reasons = 0;
    s->reasons_known = read_reasons(d, &s->reasons);
    return 1;
}

int nvml_read_limits(const char *bus, struct nvml_limits *l, char *why, size_t n)
{
    nvmlDevice_t d = NULL;
    unsigned limit = 0;
    if (!find(bus, &d, why, n))
        return 0;
    l->sm_mhz = largest_clock_of(d, NVML_CLOCK_SM);
    l->memory_mhz = largest_clock_of(d, NVML_CLOCK_MEM);
    l->watts = told(api.power_limit ? api.power_limit(d, &limit) : -1, &limit, 1e-3);
    if (!api.driver || api.driver(l->driver, sizeof l->driver) != NVML_SUCCESS)
        l->driver[0] = 0;
    return 1;
}

int nvml_energy(const char *bus, double *joules)
{
    nvmlDevice_t d = NULL;
    unsigned long long millijoules = 0;
    char why[2 * PATH_LENGTH];
    if (!find(bus, &d, why, sizeof why) || !api.energy ||
        api.energy(d, &millijoules) != NVML_SUCCESS)
        return 0;
    *joules = 1e-3 * (double)millijoules;
    return 1;
}

static void append(char *text, size_t n, const char *between, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, n - used, "%s%s", used ? between : "", word);
}

void nvml_reasons(unsigned long long reasons, char *text, size_t n)
{
    /* Bit by bit, from the lowest; the guide's group "NvmlClocksEventReasons". */
    static const char *const words[] = {
        "idle GPU",         "application clocks", "power cap",   "hardware slowdown", "sync boost",
        "software thermal", "hardware thermal",   "power brake", "display clocks",
    };
    text[0] = 0;
    for (size_t k = 0; k < COUNT_OF(words); k++) {
        if (reasons >> k & 1)
            append(text, n, ", ", words[k]);
    }
    if (reasons >> COUNT_OF(words)) {
        char rest[64];
        snprintf(rest, sizeof rest, "unknown reasons %#llx",
                 reasons >> COUNT_OF(words) << COUNT_OF(words));
        append(text, n, ", ", rest);
    }
    if (!*text)
        snprintf(text, n, "none");
}

static void append_number(char *text, size_t n, const char *what, double x, const char *unit)
{
    char part[64];
    if (isnan(x))
        snprintf(part, sizeof part, "%s unknown", what);
    else
        snprintf(part, sizeof part, "%s %.0f %s", what, x, unit);
    append(text, n, ", ", part);
}

void nvml_describe(const char *bus, char *text, size_t n)
{
    struct nvml_state s;
    char why[2 * PATH_LENGTH], reasons[256] = "unknown";
    if (!nvml_read(bus, &s, why, sizeof why)) {
        snprintf(text, n, "not available here: %s", why);
        return;
    }
    text[0] = 0;
    append_number(text, n, "SM", s.sm_mhz, "MHz");
    append_number(text, n, "memory", s.memory_mhz, "MHz");
    append_number(text, n, "temperature", s.celsius, "C");
    append_number(text, n, "power", s.watts, "W");
    append_number(text, n, "limit", s.watt_limit, "W");
    if (s.reasons_known)
        nvml_reasons(s.reasons, reasons, sizeof reasons);
    append(text, n, ", ", "limited by: ");
    append(text, n, "", reasons);
}
