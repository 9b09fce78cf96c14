# Plants mistakes in a C file of the house style, one at a time: conditions negated, calls removed, constants
# changed, comparisons turned. Without `pick` lists them, a line each: number, line, kind, the line's text; with
# pick=NUMBER prints the file with that one. What only releases memory or descriptors is left to `make check`; so
# are the sizes of arrays, which grow. No test takes memory away: FAIL(MEMORY, ...) stays.

# The line with strings, characters and comments blanked, so that positions stay.
function code(line,    out, k, c, quote) {
    out = ""
    quote = ""
    for (k = 1; k <= length(line); k++) {
        c = substr(line, k, 1)
        if (quote != "") {
            out = out " "
            if (c == "\\") { out = out " "; k++ }
            else if (c == quote) quote = ""
        } else if (c == "\"" || c == "'") { quote = c; out = out " " }
        else if (substr(line, k, 2) == "/*") { while (length(out) < length(line)) out = out " "; break }
        else out = out c
    }
    return out
}

# The place of the parenthesis that closes the one at `open`; 0 if it is on another line.
function closing(text, open,    k, depth, c) {
    for (k = open; k <= length(text); k++) {
        c = substr(text, k, 1)
        if (c == "(") depth++
        if (c == ")" && --depth == 0) return k
    }
    return 0
}

function offer(kind, mutated) {
    count++
    if (!pick) printf "%d\t%d\t%s\t%s\n", count, NR, kind, $0
    else if (count == pick) result = mutated
}

function negate(text, line,    at, open, end) {
    at = match(text, /(^|[^a-z_])if \(/)
    if (!at) return
    open = at + RLENGTH - 1
    end = closing(text, open)
    if (end)
        offer("negated", substr(line, 1, open) "!(" substr(line, open + 1, end - open) ")" substr(line, end + 1))
}

function remove(text, line) {
    if (text ~ /^ +[A-Za-z_]+\(.*\);( *)$/ && text !~ /^ +(free|close|fclose|closedir|[a-z_]*_(free|close|destroy)|va_[a-z]+|return|sizeof)\(/ && text !~ /^ +FAIL\(MEMORY/)
        offer("removed", substr(line, 1, match(line, /[^ ]/) - 1) ";")
}

# Does what comes before a number say that it is the size of an array, or an element's for its size?
function is_size(before) {
    return before ~ /^ +(static )?(const )?(struct )?[a-z_0-9]+ \**[a-z_]+(\[[^]]*\])?\[[^]]*$/ || before ~ /(calloc\(|sizeof [a-z_>.-]+\[)$/
}

function change(text, line,    at, n) {
    at = match(text, /[^A-Za-z_0-9.][0-9]+[^A-Za-z_0-9.]/)
    if (!at || text ~ /^ *static const char/ || is_size(substr(text, 1, at))) return
    n = substr(line, at + 1, RLENGTH - 2)
    if (n !~ /^0[0-9]/)
        offer("constant", substr(line, 1, at) (n + 1) substr(line, at + RLENGTH - 1))
}

function turn(text, line,    k, at) {
    for (k = 1; k <= PAIRS; k++) {
        at = index(text, " " from[k] " ")
        if (at && text !~ /^ *for /)
            offer("turned", substr(line, 1, at) to[k] substr(line, at + 1 + length(from[k])))
    }
}

BEGIN {
    PAIRS = split("== != < > <= >= && ||", from, " ")
    split("!= == <= >= < > || &&", to, " ")
}

{
    text = code($0)
    result = $0
    if (text ~ /^    / && text !~ /^ *(\*|#|static const|const char)/) {
        negate(text, $0)
        remove(text, $0)
        change(text, $0)
        turn(text, $0)
    }
    if (pick) print result
}
