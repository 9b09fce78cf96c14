/* Tells how far a scan of all cells is, if it takes long: a line in the log after 5 s, and whenever the time
 * has doubled since the last one. */
#ifndef SHOAL_SCAN_H
#define SHOAL_SCAN_H

struct scan {
    const char *what;
    int nx, ny;
    long done, all; /* pieces */
    double began, next;
};

/* Scans `all` pieces of nx x ny cells for something. */
struct scan scan_begin(const char *what, int nx, int ny, long all);

/* One more piece; in any thread of a parallel loop over them. */
void scan_step(struct scan *s);

/* For tests: the first line comes after so many seconds. */
void scan_tells_after(double duration);

#endif
