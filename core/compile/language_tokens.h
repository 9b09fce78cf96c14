/* C text as a list of words, numbers and signs, without comments and directives. */
#ifndef SHOAL_LANGUAGE_TOKENS_H
#define SHOAL_LANGUAGE_TOKENS_H

/* HEADER: <name>, of an #include. Each other SIGN is one character. */
enum token_kind { END, WORD, NUMBER, STRING, HEADER, SIGN };

struct token {
    const char *at; /* in the text, n characters; line and column count from 1 */
    int n, line, column;
    enum token_kind kind;
};

/* Fills `list`, which has room for as many tokens as `text` has characters and three more, and returns
 * how many there are. Behind them stand at least three of kind END. */
int dialect_tokens(const char *text, struct token *list);

/* Is the token this word, number or sign? */
int dialect_is(const struct token *t, const char *text);

#endif
