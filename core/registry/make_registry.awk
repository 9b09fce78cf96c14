# Checks one file for core/registry/make_registry: the text must define what the file's name promises. The first
# mistake goes to stderr, with its line and a remedy, and ends the program with status 1.
#
# awk -f core/registry/make_registry.awk -v kind=KIND -v name=NAME FILE
#   limiters, fluxes, reconstructions   a plug-in's header; prints its PROPERTIES for the registry
#   schemes, cases, kernels, systems, invariants, observers   a table in C

function refuse(line, message) {
    printf "error: %s:%d: %s\n", FILENAME, line, message > "/dev/stderr"
    failed = 1
    exit 1
}

# A line without comments and, if `empty` is set, without the content of strings. in_comment persists between lines.
function code_of(s, empty,    i, c, two, out) {
    out = ""
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        two = substr(s, i, 2)
        if (in_comment) {
            if (two == "*/") {
                in_comment = 0
                i++
            }
        } else if (in_string) {
            if (c == "\"")
                in_string = 0
            if (!empty || c == "\"")
                out = out c
            if (c == "\\")
                out = out (empty ? "" : substr(s, ++i, 1))
        } else if (two == "/*") {
            in_comment = 1
            i++
        } else if (two == "//") {
            break
        } else {
            in_string = c == "\""
            out = out c
        }
    }
    in_string = 0
    return out
}

{
    before = in_comment
    code[NR] = code_of($0, 0)
    in_comment = before
    bare[NR] = code_of($0, 1)
}

# The first line that matches, from `from` on; 0: none.
function line_of(pattern, from,    k) {
    for (k = from; k <= NR; k++)
        if (bare[k] ~ pattern)
            return k
    return 0
}

# Sets `between` to the text from a line on to the bracket that closes its first one, and `last` to that
# bracket's line. False if it is not closed.
function bracketed(from, open, close_,    k, i, c, depth, begun, quoted) {
    between = ""
    for (k = from; k <= NR; k++) {
        last = k
        for (i = 1; i <= length(code[k]); i++) {
            c = substr(code[k], i, 1)
            if (c == "\"" && !quoted)
                quoted = 1
            else if (c == "\"")
                quoted = 0
            if (!quoted && c == open && depth++ == 0) {
                begun = 1
                continue
            }
            if (!quoted && c == close_ && --depth == 0 && begun)
                return 1
            if (begun)
                between = between c
        }
        between = between (begun ? " " : "")
    }
    return 0
}

# Splits at commas outside strings and brackets.
function split_list(text, list,    i, c, n, depth, in_quotes) {
    n = 1
    list[1] = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "\"")
            in_quotes = !in_quotes
        if (!in_quotes)
            depth += (c == "(") - (c == ")")
        if (c == "," && !in_quotes && depth == 0)
            list[++n] = ""
        else
            list[n] = list[n] c
    }
    for (i = 1; i <= n; i++)
        gsub(/^[ \t]+|[ \t]+$/, "", list[i])
    return n
}

function check_properties(line,    list, n, words, k, known, property) {
    example = "PROPERTIES(\"title\", \"author and year\", SYMMETRIC | TVD)"
    if (!bracketed(line, "(", ")"))
        refuse(line, "PROPERTIES( is not closed: write " example)
    n = split_list(between, list)
    if (n != 3)
        refuse(line, "PROPERTIES has " n " arguments, not 3: write " example ", and 0 for no property")
    for (k = 1; k <= 2; k++)
        if (list[k] !~ /^".*[^ "].*"$/)
            refuse(line, "the " (k == 1 ? "title" : "source") " in PROPERTIES is not a text in quotes: write " example)
    while ((getline property < "core/registry/plugin.h") > 0)
        if (property ~ /^ +[A-Z_]+ = 1 <</) {
            sub(/^ +/, "", property)
            sub(/ .*/, "", property)
            known = known " " property
        }
    n = split(list[3], words, /[ |]+/)
    for (k = 1; k <= n; k++)
        if (words[k] != "" && words[k] != "0" && index(known " ", " " words[k] " ") == 0)
            refuse(line, "there is no property " words[k] ": those of core/registry/plugin.h are" known ", joined by |; 0 is none")
    check_beds(line, list[3])
    printf "#line %d \"%s\"\n", line, FILENAME
    for (k = line; k <= last; k++)
        print code[k]
}

# The host uses the property to choose the depth that divides discharges.
function check_beds(line, properties,    k, stepped) {
    for (k = 1; k <= NR; k++)
        if (code[k] ~ /^#include "num\/stepped.h"/)
            stepped = 1
    if (stepped && properties !~ /CELL_BEDS/)
        refuse(line, name " includes num/stepped.h, so each cell has a bed of its own: add CELL_BEDS to its properties")
    if (!stepped && properties ~ /CELL_BEDS/)
        refuse(line, name " declares CELL_BEDS: include num/stepped.h, or leave the property out")
}

# What the file defines instead of what it should.
function other_function(    k, text) {
    for (k = 1; k <= NR; k++)
        if (bare[k] ~ /^FN /) {
            text = bare[k]
            sub(/\(.*/, "", text)
            sub(/.*[ *]/, "", text)
            found_line = k
        }
    return text
}

function check_plugin(    line, other, missing) {
    line = line_of("^[ \t]*PROPERTIES", 1)
    if (!line_of("(^|[^A-Za-z0-9_])" name "[ \t]*\\(", 1)) {
        other = other_function()
        missing = name ".h does not define a function " name "()"
        if (other == "")
            refuse(1, missing ": write one, beginning with FN, or rename the file")
        refuse(found_line, missing ", but " other "(): rename the function to " name ", or the file to " other ".h")
    }
    if (!line)
        refuse(1, "PROPERTIES is missing: write, under the #include, PROPERTIES(\"title\", \"author and year\", " \
               "SYMMETRIC | TVD) with what holds of " name " (core/registry/plugin.h), or 0")
    check_properties(line)
}

# A table with a name of its own: `const struct TYPE PREFIXname = {`.
function table(type, prefix, folder,    line, other) {
    line = line_of("struct " type " +" prefix symbol " *(=|$)", 1)
    if (line)
        return
    line = line_of("struct " type " +" prefix "[A-Za-z0-9_]* *(=|$)", 1)
    if (!line)
        refuse(1, "there is no table: write const struct " type " " prefix symbol " = {...}")
    other = bare[line]
    sub(".*struct " type " +", "", other)
    sub(/[^A-Za-z0-9_].*/, "", other)
    refuse(line, "this defines " other ", and the " folder " is called " name ": rename the table to " prefix \
           symbol ", or the " folder)
}

# The kernels' handles are the positions of their names in the list, so both must have the same length.
function check_kernel_list(    from, line, list, n, k, names, handles) {
    line = line_of("char *\\* *const +kernels *\\[\\] *=", 1)
    if (!line || !bracketed(line, "{", "}"))
        return
    n = split_list(between, list)
    n -= list[n] == ""
    if (list[n] != "NULL" && list[n] != "0")
        refuse(line, "the list of kernels does not end: write NULL behind the last name")
    names = n - 1
    for (k = line; k > 0 && !from; k--)
        if (bare[k] ~ /^enum *[{]/)
            from = k
    if (!from || !bracketed(from, "{", "}") || index(between, "="))
        return
    handles = split_list(between, list)
    handles -= list[handles] == ""
    if (handles != names)
        refuse(from, "the enum has " handles " handles, and the list of kernels " names " names: " \
               "they belong together, one by one and in the same order")
}

function check_kernels(    line, k, text, file) {
    line = line_of("struct kernel +kernels_" name " *\\[\\] *=", 1)
    if (!line) {
        k = line_of("struct kernel +kernels_[A-Za-z0-9_]* *\\[\\] *=", 1)
        refuse(k ? k : 1, "there is no table kernels_" name "[], which the file's name promises: write const " \
               "struct kernel kernels_" name "[] = {...}, or rename the file")
    }
    if (!line_of("[{] *(\\.name *= *)?(0|NULL) *[}]", line))
        refuse(line, "the table does not end: write {.name = 0} behind the last kernel")
    for (k = 1; k <= NR; k++)
        for (text = code[k]; match(text, /"[^" ]*\.cu"/); text = substr(text, RSTART + RLENGTH)) {
            file = substr(text, RSTART + 1, RLENGTH - 2)
            if ((getline < ("kernels/" file)) < 0)
                refuse(k, "there is no kernels/" file ": correct .file, or write the kernel")
            close("kernels/" file)
        }
}

END {
    if (failed)
        exit 1
    symbol = name
    gsub(/-/, "_", symbol)
    if (kind == "schemes") {
        table("scheme", "scheme_", "folder")
        check_kernel_list()
    } else if (kind == "cases") {
        table("flow_case", "case_", "file")
    } else if (kind == "invariants") {
        table("invariant", "invariant_", "file")
    } else if (kind == "systems") {
        table("system", "system_", "file")
    } else if (kind == "observers") {
        table("observer", "observer_", "file")
    } else if (kind == "kernels") {
        check_kernels()
    } else {
        check_plugin()
    }
}
