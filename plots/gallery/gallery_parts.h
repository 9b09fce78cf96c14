/* Shared by the parts of the gallery. */
#ifndef SHOAL_GALLERY_PARTS_H
#define SHOAL_GALLERY_PARTS_H

#include "plots/figures/draw.h"

/* An experiment on a device, or on all. */
struct showing {
    struct figure figure;
    const char *device; /* its folder; "all" for a common figure */
    int open, drawn;    /* drawn: there is a picture, or a table */
    char missing[768];  /* why there is none; "" else */
    const char *partly; /* why it is incomplete; NULL: it is complete */
};

struct exhibit {
    struct experiment experiment;
    int common, table;
    struct showing *showing;
    int count;
};

struct gallery {
    const char *folder, *device; /* "": all devices */
    struct plot_devices devices;
    struct exhibit *exhibit; /* in the order of the page */
    struct showing *showing; /* the database of the exhibits' tables */
    int count;
    struct gallery_fault {
        char text[4096];
    } * fault;
    int faults;
    int figures, tables, missing, stale;
    int claims[VERDICTS]; /* on published claims; notes, too */
    int own,
        younger; /* verdicts on our own; those on published claims whose rule is younger than the data */
};

/* The number of runs from which on their range is the interval of their median. */
enum { ENOUGH_RUNS = 6 };

/* A fault that makes the gallery fail, reported when everything is written. */
enum err gallery_fault(struct gallery *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes an error that is one experiment's a fault, so that it does not hide the others; one of the
 * machine stays an error. */
enum err gallery_forgive(struct gallery *g, enum err e);

/* The text after a session's commit, by its mark `dirty`. */
const char *gallery_changes(const char *dirty);

/* A setting before the experiment's first section; NULL if there is none. */
const char *exhibit_setting(const struct exhibit *x, const char *key);

/* The showing whose claims' texts hold for all; NULL if none is open. */
const struct showing *exhibit_first(const struct exhibit *x);

/* What was published of a claim: of the first showing that knows all its facts; "" if none does. */
const char *exhibit_published(const struct exhibit *x, int claim);

/* The showing of a device; NULL if it has none: the experiment is not meant for it. */
const struct showing *exhibit_on(const struct exhibit *x, const char *device);

/* Is an experiment meant for a device: do its backend and the number of GPUs that it needs fit, or those of the
 * experiments whose rows it takes? Historical ones are meant for none. */
enum err gallery_meant(const struct experiment *x, const struct plot_device *d, int *meant);

/* Opens the figures of all experiments, and finds what is missing. */
enum err gallery_open(struct gallery *g);
void gallery_close(struct gallery *g);

/* Writes index.md and index.html. */
enum err gallery_page(const struct gallery *g);

/* How many verdicts there are on published claims: not those of what was not measured. */
int gallery_verdicts(const struct gallery *g);

/* The target of a link to an experiment's part of the page. */
void gallery_link(const struct exhibit *x, char anchor[300]);

/* The figures that an experiment follows: "thesis 3.4, thesis 3.5" after `before`, or "new". */
void gallery_follows(const struct exhibit *x, const char *before, FILE *f);

/* The page's name for a showing's device: "NVIDIA H200". */
const char *gallery_device(const struct gallery *g, const struct showing *s);

/* An experiment's part of the page. */
void gallery_article(const struct gallery *g, const struct exhibit *x, FILE *f);

#endif
