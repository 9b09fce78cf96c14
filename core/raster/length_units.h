/* Units of length, as files spell them. */
#ifndef SHOAL_LENGTH_UNITS_H
#define SHOAL_LENGTH_UNITS_H

/* Metres in one of the unit; 0 if it is no unit of length that is known. */
double units_metres(const char *unit);

#endif
