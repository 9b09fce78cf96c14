/* Is a file that another program wrote complete? Neither gnuplot nor ffmpeg checks for write
 * errors. */
#ifndef SHOAL_FILE_COMPLETE_H
#define SHOAL_FILE_COMPLETE_H

/* A PNG picture with its end chunk (ISO/IEC 15948, 11.2.5). */
int whole_picture(const char *path);

/* An MP4 film: boxes to the end of the file, one of which locates its pictures (ISO/IEC 14496-12,
 * 4.2 and 8.2.1). */
int whole_film(const char *path);

#endif
