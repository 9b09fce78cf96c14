/* Is a file that another program wrote all there? Neither gnuplot nor ffmpeg looks whether the disk
 * took what it wrote. */
#ifndef SHOAL_FILE_COMPLETE_H
#define SHOAL_FILE_COMPLETE_H

/* A PNG picture that ends as one does (ISO/IEC 15948, 11.2.5). */
int whole_picture(const char *path);

/* An MP4 film: boxes to the end of the file, of which one tells where its pictures are
 * (ISO/IEC 14496-12, 4.2 and 8.2.1). */
int whole_film(const char *path);

#endif
