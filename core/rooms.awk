# Reads core/rooms, then C files: prints each include that the table does not allow, and each line of the table
# that names a room which is not above it. Status 1 if there is one.
#
# usage: awk -f core/rooms.awk core/rooms FILE...   (the paths from the top)

function refuse(where, what) {
    print where ": " what
    refused = 1
}

# "core/sim/sim.h" is in sim, "plots/data/frame.h" in plots.
function room_of(path,    part) {
    split(path, part, "/")
    return part[1] == "core" ? part[2] : part[1]
}

function read_room(    room, k, above) {
    room = $1
    if (!sub(/:$/, "", room))
        refuse(FILENAME ":" FNR, "a line is room: rooms that it may use")
    if (room in known)
        refuse(FILENAME ":" FNR, room " has a line above")
    for (k = 2; k <= NF; k++) {
        if ($k != "*" && !($k in known))
            refuse(FILENAME ":" FNR, room " may not use " $k ", which no line above has: arrows point down")
        may[room, $k] = 1
    }
    for (above in known)
        if ((room, "*") in may)
            may[room, above] = 1
    may[room, "base"] = 1
    known[room] = 1
    rooms[++count] = room
}

function look_at(header,    from, to) {
    from = room_of(FILENAME)
    to = room_of(header)
    if (!(from in known))
        refuse(FILENAME, "'" from "' is no room: core/rooms has a line for each")
    else if (from == "kernels" && (header !~ /\// || !(to in known)))
        return # "args.h" and "num/step.h": a run-time compiler finds them, too
    else if (header !~ /\//)
        refuse(FILENAME ":" FNR, "write the path of " header " from the top")
    else if (from != to && !((from, to) in may))
        refuse(FILENAME ":" FNR, from " may not include " header ": see core/rooms")
    else if (from != to)
        uses[from, to]++
}

NR == FNR {
    if ($0 !~ /^#/ && NF > 0)
        read_room()
    next
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    look_at(quoted[2])
}

END {
    if (refused)
        exit 1
}
