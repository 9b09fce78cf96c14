/* A GPU's state from NVML, the driver's management library: read only. Opened at run time: Shoal
 * builds without NVIDIA's headers and libraries. */
#ifndef SHOAL_NVML_H
#define SHOAL_NVML_H

#include <stddef.h>

/* The present state; NAN for what this GPU does not report. */
struct nvml_state {
    double sm_mhz, memory_mhz;
    double celsius;
    double watts, watt_limit;
    int reasons_known;
    unsigned long long reasons; /* why the clocks are not higher, as bits; see nvml_reasons */
};

/* What stays the same from call to call, unless somebody changes the machine. */
struct nvml_limits {
    double sm_mhz, memory_mhz; /* the highest possible; NAN if this GPU does not report it */
    double watts;
    char driver[80]; /* its full version; "" if unknown */
};

/* Reads the limits of a GPU. See nvml_read. */
int nvml_read_limits(const char *bus, struct nvml_limits *l, char *why, size_t n);

/* Reads the state of the GPU on a PCI bus id ("0000:3b:00.0", see struct device_info). False if
 * that is not available here; then `why` gives the reason and a remedy. Thread safe. */
int nvml_read(const char *bus, struct nvml_state *s, char *why, size_t n);

/* The GPU's energy consumption since its driver was loaded, J; drivers update it several times a
 * second. False if unavailable: on GPUs before Volta, and where nvml_read fails. */
int nvml_energy(const char *bus, double *joules);

/* The reasons as words, "none" for no reason. */
void nvml_reasons(unsigned long long reasons, char *text, size_t n);

/* One line for the user, either the state or "not available here: " and why. */
void nvml_describe(const char *bus, char *text, size_t n);

#endif
