/* `shoal info`: what this machine offers, and why other things are missing. */
#include "core/registry/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/device/backend.h"
#include "core/device/launched.h"
#include "core/options/run_config.h"
#ifdef HAVE_NETCDF
#include "core/netcdf/library.h"
#endif
#include "core/raster/raster.h"
#include "core/device/nccl_api.h"
#include "core/device/nvml.h"
#include "core/base/paths.h"
#include "core/base/version.h"

static const double MIB = 1024.0 * 1024.0, GIB = 1024.0 * 1024.0 * 1024.0;

static void print_home(void)
{
    const char *home;
    if (paths_home(&home))
        printf("home      none: %s\n", err_message());
    else
        printf("home      %s\n", home);
}

/* Files in a folder and their size, bytes. */
static int count_files(const char *folder, double *size)
{
    int files = 0;
    DIR *d = opendir(folder);
    *size = 0;
    if (!d)
        return -1;
    for (const struct dirent *entry = readdir(d); entry; entry = readdir(d)) {
        struct stat s;
        if (fstatat(dirfd(d), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(s.st_mode)) {
            files++;
            *size += (double)s.st_size;
        }
    }
    closedir(d);
    return files;
}

static void print_cache(void)
{
    const char *cache;
    double size;
    if (paths_cache(&cache)) {
        printf("cache     none: %s\n", err_message());
        return;
    }
    const int files = count_files(cache, &size);
    if (files < 0)
        printf("cache     %s (cannot be read: %s)\n", cache, strerror(errno));
    else
        printf("cache     %s (%d files, %.1f MiB)\n", cache, files, size / MIB);
}

static void print_netcdf(void)
{
#ifdef HAVE_NETCDF
    if (netcdf_open()) {
        printf("netCDF    none: %s\n", err_message());
        return;
    }
    const char *version = nc_inq_libvers(); /* "4.9.0 of Aug  7 2022 ..." */
    printf("netCDF    built in, version %.*s\n", (int)strcspn(version, " "), version);
#else
    puts("netCDF    not built in: install libnetcdf-dev, then make again");
#endif
}

static void print_gdal(void)
{
    char version[64];
    if (raster_gdal_version(version))
        printf("GDAL      no GeoTIFF: %s\n", err_message());
    else
        printf("GDAL      version %s: terrain may be GeoTIFF, too\n", version);
}

static void print_mpi(void)
{
    char text[PATH_LENGTH + 256];
    const int here = launched_describe(text, sizeof text);
    printf(here ? "MPI       %s\n" : "MPI       none (%s): ./bootstrap --mpi make\n", text);
}

static void print_nccl(void)
{
    char why[PATH_LENGTH + 256];
    if (nccl_api_open(why, sizeof why))
        printf("NCCL      version %s, in %s\n", nccl_api.version, nccl_api.path);
    else
        printf("NCCL      none: %s\n", why);
}

static void print_device(const struct backend *b, int number, const struct device_info *i)
{
    printf("%-9s device %d: %s, %s\n", b->name, number, i->name, i->target);
    if (i->memory)
        printf("          memory: %.1f GiB, %.1f GiB of it free\n", (double)i->memory / GIB,
               (double)i->memory_free / GIB);
    printf("          compiler: %s\n", i->compiler);
    if (*i->driver)
        printf("          driver: %s\n", i->driver);
    printf("          %s: %d\n", b == backends[CPU] ? "OpenMP threads" : "multiprocessors",
           i->units);
    if (b == backends[CUDA]) {
        char state[1024];
        nvml_describe(i->bus, state, sizeof state);
        printf("          clocks: %s\n", state);
    }
}

/* Which of the previous devices can access this one's memory, and vice versa. */
static void print_reach(const struct backend *b, int number, struct device *dev,
                        struct device *const *before)
{
    for (int k = 0; k < number; k++)
        if (before[k])
            printf("          %s device %d\n",
                   b->reaches(dev, before[k]) && b->reaches(before[k], dev)
                       ? "exchanges directly with"
                       : "exchanges through the host with",
                   k);
}

/* All devices of a backend; a machine has one CPU, whatever the number. */
static void print_backend(const struct backend *b)
{
    const int most = b == backends[CPU] ? 1 : LISTED_DEVICES;
    struct device *dev[LISTED_DEVICES] = {NULL};
    char why[1024] = "";
    int count = 0;
    for (; count < most && b->available(count, why, sizeof why); count++) {
        const struct device_options o = {.device = count, .march = "native"};
        if (b->open(&dev[count], &o)) {
            printf("%-9s device %d: cannot be opened: %s\n", b->name, count, err_message());
            continue;
        }
        print_device(b, count, b->info(dev[count]));
        print_reach(b, count, dev[count], dev);
    }
    if (count == 0)
        printf("%-9s not available: %s\n", b->name, why);
    for (int k = 0; k < count; k++)
        b->close(dev[k]);
}

static enum err cmd_info(const struct call *call)
{
    (void)call;
    printf("version   %s (commit %s)\n", shoal_version, shoal_commit);
    print_home();
    print_cache();
    print_netcdf();
    print_gdal();
    print_mpi();
    print_nccl();
    for (int k = 0; k < BACKENDS; k++)
        print_backend(backends[k]);
    return ERR_OK;
}

const struct command command_info = {
    .name = "info",
    .arguments = "",
    .title = "what this machine offers",
    .place = 2,
    .about = "Shows what this machine offers: Shoal's folder, its cache, each backend with its\n"
             "devices and compiler, or why it is unavailable and a remedy; for a GPU also its\n"
             "present clocks, temperature and power. A missing GPU is not an error.",
    .run = cmd_info,
};
