/* Units of length, as files spell them. */
#ifndef SHOAL_LENGTH_UNITS_H
#define SHOAL_LENGTH_UNITS_H

/* Metres in one of the unit; 0 if it is not a known unit of length. */
double units_metres(const char *unit);

#endif
