/* The terminal that results may be printed to. */
#ifndef SHOAL_TERMINAL_H
#define SHOAL_TERMINAL_H

/* Is stdout a terminal that shows colours, and does its user (NO_COLOR) want them? */
int terminal_in_colour(void);

#endif
