/* Progress and warnings for the user: one line each on stderr. */
#ifndef SHOAL_LOG_H
#define SHOAL_LOG_H

/* Silences log_info; 2: warnings too (errors stay). */
void log_quiet(int quiet);
int log_is_quiet(void);

/* Silences this thread: other threads log the same lines. */
void log_mute_thread(void);

/* Holds lines back while something else uses the terminal; 0 prints the held lines. */
void log_hold(int hold);

void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
