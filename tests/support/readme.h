/* The blocks of a README that a reader is to follow: files to write, commands to run, what they print. */
#ifndef SHOAL_TEST_README_H
#define SHOAL_TEST_README_H

/* By the paragraph before a block of lines that are indented by four: one that names a file in
 * backticks and ends with a colon says that the block is this file; one that ends with "prints", that
 * the last command prints these lines, among others. Lines that begin with make, build/shoal or sh manual/ are
 * commands wherever they stand. What is left is only shown. */
enum readme_kind { README_SHOWN, README_FILE, README_COMMANDS, README_PRINTED };

struct readme_block {
    enum readme_kind kind;
    int line;        /* the first one, in the README */
    char path[128];  /* README_FILE: where it goes */
    char text[8192]; /* without the indentation */
};

/* The blocks between the heading "## TITLE" and the next one like it ("": of the whole text); returns
 * how many. -1: there is no such heading, or a block is too long. */
int readme_blocks(const char *text, const char *title, struct readme_block *b, int most);

#endif
