/* The blocks of a README for a reader to follow: files to write, commands to run, and their
 * output. */
#ifndef SHOAL_TEST_README_H
#define SHOAL_TEST_README_H

/* The paragraph before a block of lines indented by four decides: if it names a file in
 * backticks and ends with a colon, the block is that file; if it ends with "has", the file has
 * these lines, among others; if it ends with "prints", the last command prints these. Lines that begin with make, build/shoal or sh
 * manual/ are commands anywhere. All other blocks are only shown. */
enum readme_kind { README_SHOWN, README_FILE, README_PART, README_COMMANDS, README_PRINTED };

struct readme_block {
    enum readme_kind kind;
    int line;        /* of the README, where the block begins */
    char path[128];  /* README_FILE, README_PART: the file's name */
    char text[8192]; /* without the indentation */
};

/* Finds the blocks between the heading "## TITLE" and the next one like it ("": in the whole
 * text); returns their number. -1: no such heading, or a block is too long. */
int readme_blocks(const char *text, const char *title, struct readme_block *b, int most);

#endif
