/* What NVML, the driver's management library, tells of a GPU's state: read, never changed. Opened at
 * run time: no NVIDIA header or library is needed to build Shoal. */
#ifndef SHOAL_NVML_H
#define SHOAL_NVML_H

#include <stddef.h>

/* As it is at the moment; NAN for what this GPU does not tell. */
struct nvml_state {
    double sm_mhz, memory_mhz;
    double celsius;
    double watts, watt_limit;
    int reasons_known;
    unsigned long long reasons; /* why the clocks are not higher, as bits; see nvml_reasons */
};

/* What stays the same from call to call, unless somebody changes the machine. */
struct nvml_limits {
    double sm_mhz, memory_mhz; /* the highest there are; NAN for what this GPU does not tell */
    double watts;
    char driver[80]; /* its full version; "" if it is not told */
};

/* Reads the limits of a GPU. See nvml_read. */
int nvml_read_limits(const char *bus, struct nvml_limits *l, char *why, size_t n);

/* Reads the state of the GPU on a PCI bus id ("0000:3b:00.0", see struct device_info). False if that
 * is not available here; then `why` says why not and what would help. Several threads may call it. */
int nvml_read(const char *bus, struct nvml_state *s, char *why, size_t n);

/* What the GPU has consumed since its driver was loaded, J; drivers count it several times a second.
 * False where that is not told: on GPUs before Volta, and where nvml_read is not available. */
int nvml_energy(const char *bus, double *joules);

/* The reasons as words, "none" for no reason. */
void nvml_reasons(unsigned long long reasons, char *text, size_t n);

/* One line for a person, either the state or "not available here: " and why. */
void nvml_describe(const char *bus, char *text, size_t n);

#endif
