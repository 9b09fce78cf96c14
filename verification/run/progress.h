/* What a terminal is shown of what is under way. */
#ifndef SHOAL_PROGRESS_H
#define SHOAL_PROGRESS_H

/* A line over the last one, not more often than it can be read; nothing where stderr is no terminal. */
void progress_show(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
