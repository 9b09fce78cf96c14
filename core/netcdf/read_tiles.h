/* Reads which tiles of a sparse domain were stored at the records of a result. In a build without
 * netCDF nctiles_open fails with ERR_ABSENT. */
#ifndef SHOAL_READ_TILES_H
#define SHOAL_READ_TILES_H

#include "core/netcdf/read_records.h"

struct nctiles {
    const struct ncrecords *file;
    int columns, rows;
    int *west, *south;     /* the first cell of each column and row of tiles, in the maps */
    int id;                /* of the variable with their states */
    unsigned char *stored; /* of the record read last: [rows][columns], true or false */
};

/* Finds the table of tiles in an open file. Fails with ERR_USAGE if the file has none, or no
 * records. Ends with nctiles_close, also after a failure. */
enum err nctiles_open(struct nctiles *t, const struct ncrecords *file);
void nctiles_close(struct nctiles *t); /* accepts a zeroed or closed struct */

/* Reads a record into t->stored. */
enum err nctiles_read(struct nctiles *t, size_t record);

#endif
