/* Reports in Markdown, readable on a terminal, in git and in a pull request; markdown_page.h makes
 * pages of them. Names and messages never act as markup, neither of Markdown nor of HTML. Each part
 * ends with an empty line. */
#ifndef SHOAL_MARKDOWN_H
#define SHOAL_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

/* Like fprintf, for %s and %d only. The format is Markdown; the text for %s is escaped. Between
 * backticks, `%s`, it is code; in [text](%s) or [text](#%s) a link's target. */
void markdown_print(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A heading of level 1 to 6. On a page those of level 4 and below start sections that fold. */
void markdown_heading(FILE *f, int level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The anchor of the heading with that text, for links after #: the same as GitHub's, and as on our
 * pages. */
void markdown_anchor(const char *heading, char *anchor, size_t n);

/* A picture in a paragraph of its own; the paragraph after it is its caption. */
void markdown_image(FILE *f, const char *file, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Verbatim lines: a program's output, or commands. */
void markdown_block(FILE *f, const char *text);

/* A table with aligned columns; zeroed, it is empty. First its columns, then its cells row by row. */
enum { MARKDOWN_COLUMNS = 64 };
struct markdown_table {
    FILE *stream; /* all texts given, each with its '\0' */
    char *text;
    size_t size;
    int columns, cells, right[MARKDOWN_COLUMNS];
};
void markdown_column(struct markdown_table *t, int right, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void markdown_cell(struct markdown_table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the table, and empties it. */
void markdown_table_end(struct markdown_table *t, FILE *f);

#endif
