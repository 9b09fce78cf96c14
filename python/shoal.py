"""Runs Shoal and reads its results: flow as an xarray Dataset, measurements as pandas tables.

    import shoal

    dam = shoal.run("circular-dam", nx=400)
    shoal.schemes()
    shoal.db("SELECT kernel, best, best_us FROM kernels", device="nvidia-h200")

All numbers come from the program; nothing is computed here. `shoal help python` is the manual's page.
"""

import codecs
import csv
import importlib.metadata
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import tty
import urllib.parse

import pandas
import xarray


class Error(RuntimeError):
    """The program ended with `status` (`shoal help exit`); `printed` is what it wrote to stdout."""

    def __init__(self, message, status=None, printed=""):
        super().__init__(message)
        self.status = status
        self.printed = printed


def _trees():
    """Folders that may be Shoal's: the one that holds this file, and the one that pip installed it from."""
    yield pathlib.Path(__file__).resolve().parents[1]
    try:
        origin = importlib.metadata.distribution("shoal").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return
    url = urllib.parse.urlparse(json.loads(origin)["url"] if origin else "")
    if url.scheme == "file":
        yield pathlib.Path(urllib.parse.unquote(url.path))


def program():
    """The path of the program: SHOAL_PROGRAM, else build/shoal of the source, else an installed `shoal`."""
    named = os.environ.get("SHOAL_PROGRAM")
    if named:
        found = shutil.which(os.path.abspath(named))
        if not found:
            raise Error(f"SHOAL_PROGRAM={named}: expected the path of a program that can be started")
        return found
    trees = list(_trees())
    places = [tree / "build" / "shoal" for tree in trees] + [trees[0].parents[1] / "bin" / "shoal"]
    found = next(filter(None, map(shutil.which, map(str, places))), None) or shutil.which("shoal")
    if not found:
        raise Error(
            f"there is no program `shoal`, neither {places[-2]} nor one in PATH: type `make` in the folder with "
            "Shoal's source, or `make install`, or set SHOAL_PROGRAM to the program's path"
        )
    return found


def _text(value):
    """A value as the command line has it: yes, no, a number, a path; a tuple's parts between commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _words(words, options):
    """The command line: t_end=2 is --t-end=2, a list repeats its option, and None leaves it out."""
    line = [_text(word) for word in words]
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                line.append(f"--{name.replace('_', '-')}={_text(one)}")
    return line


ERROR = "shoal: error: "


class _Progress:
    """Passes on what the program says while it runs, and keeps it."""

    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.said = self.held = ""
        self.notebook = type(sys.stderr).__module__.startswith("ipykernel")
        self.live = self.notebook or sys.stderr.isatty()

    def show(self, part):
        """Shows no error, which is raised, and to files no lines that are written over and over."""
        text = self.decoder.decode(part)
        self.said += text
        text = text[: text.find(ERROR)] if ERROR in text else text
        if self.notebook:
            text = text.replace("\r\033[K", "\r" + 100 * " " + "\r").replace("\033[K", 10 * " ")
        if not self.live:
            whole, newline, self.held = (self.held + text).rpartition("\n")
            text = re.sub(r"\r[^\n]*?\033\[K", "", whole + newline)
        sys.stderr.write(text)
        sys.stderr.flush()

    def error(self, status):
        """What the program gives as the reason."""
        _, found, reason = self.said.rpartition(ERROR)
        return reason.strip() if found else f"the program ended with {'signal' if status < 0 else 'status'} {abs(status)}"


def _follow(line, stdout):
    """Runs the program to its end. Returns its status, what it said, and whether Ctrl-C asked it to end.

    It has a terminal of its own, so that it shows progress, Ctrl-C reaches it once, and it ends where
    Python dies: it takes that terminal as its session's by opening it.
    """
    progress, stops, child = _Progress(), [], None
    screen, inside = pty.openpty()
    tty.setraw(inside)
    main = threading.current_thread() is threading.main_thread()

    def stop(*_):
        stops.append(1)
        if child:
            child.send_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, stop) if main else None
    try:
        child = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 2<>"$0"', os.ttyname(inside), *line],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=inside,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb"},
        )
        os.close(inside)
        if stops:
            child.send_signal(signal.SIGINT)
        while part := _read(screen):
            progress.show(part)
        return child.wait(), progress, bool(stops)
    finally:
        os.close(screen)
        if main:
            signal.signal(signal.SIGINT, before)


def _read(screen):
    try:
        return os.read(screen, 1 << 16)
    except OSError:  # nobody writes to it any more
        return b""


def call(*words, **options):
    """Runs `shoal WORDS` and returns what it prints: call("judge", limiter="mc", quick=True).

    Options are those of `shoal COMMAND --help` with _ for -. True and False turn one on and off, a list
    repeats it, a tuple is one value with commas. Raises Error with the program's message, and
    KeyboardInterrupt after Ctrl-C.
    """
    with tempfile.TemporaryFile() as stdout:
        status, progress, stopped = _follow([program(), *_words(words, options)], stdout)
        stdout.seek(0)
        printed = stdout.read().decode("utf-8", "replace")
    if stopped:
        raise KeyboardInterrupt(progress.error(status) if status else "the program had already ended")
    if status:
        raise Error(progress.error(status), status, printed)
    return printed


def run(case, output=None, **options):
    """Computes the flow of a case, terrain or run file: run("circular-dam", nx=400, t_end=1).

    Returns the result as an xarray Dataset; the summary line is its attribute `summary`. output="dam.nc"
    keeps the file, from which the Dataset then reads as needed, and a checkpoint where Ctrl-C ends the run.
    Without output the Dataset is in memory, and nothing stays on disk.
    """
    if output is not None:
        return _result(output, call("run", case, output=output, **options))
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        path = os.path.join(folder, "result.nc")
        try:
            summary = call("run", case, output=path, **options)
        except (Error, KeyboardInterrupt) as stop:
            if getattr(stop, "status", 5) == 5:
                stop.args = ("stopped by a signal, and nothing is kept: with output='FILE.nc' a checkpoint would be",)
            raise
        return _result(path, summary).load()


def _result(path, summary):
    if not os.path.exists(path):
        raise Error("the program wrote no result; for print_config=True and the like use shoal.call('run', ...)")
    result = xarray.open_dataset(path)
    for holder in [result, *result.variables.values()]:
        holder.attrs = {name: _plain(value) for name, value in holder.attrs.items()}
    result.attrs["summary"] = summary.strip()
    return result


def _plain(value):
    """NumPy's numbers as Python's own, which print without their type."""
    return value.tolist() if hasattr(value, "tolist") else value


class Picture(bytes):
    """A PNG file's bytes, which notebooks show."""

    def __repr__(self):
        return f"<PNG, {len(self)} bytes>"

    def _repr_png_(self):
        return bytes(self)


def render(file, **options):
    """Draws the last record of a result: render("dam.nc", variable="speed"); options of `shoal render`."""
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        path = pathlib.Path(folder, "picture.png")
        call("render", file, output=path, **options)
        return Picture(path.read_bytes())


def db(query, device=None):
    """Answers a query of SQL on the tuning database as a pandas DataFrame; what is not known is NaN."""
    answer = call("db", "sql", query, device=device)
    return pandas.read_csv(
        io.StringIO(answer), sep="\t", na_values=["-"], keep_default_na=False, quoting=csv.QUOTE_NONE
    )


def names(kind):
    """What `shoal list KIND` lists, as a pandas Series: titles by name."""
    lines = [line.split(None, 1) for line in call("list", kind).splitlines()]
    return pandas.Series({name: title for name, title in lines}, name=kind, dtype=object)


def schemes():
    """Numerical schemes, for run(..., scheme=)."""
    return names("schemes")


def limiters():
    """Slope limiters, for run(..., limiter=)."""
    return names("limiters")


def fluxes():
    """Numerical fluxes, for run(..., flux=)."""
    return names("fluxes")


def reconstructions():
    """Reconstructions at shores, for run(..., reconstruction=)."""
    return names("reconstructions")


def cases():
    """Flows that Shoal knows, for run(...)."""
    return names("cases")


def variables():
    """What a result may hold, for run(..., variables=)."""
    return names("variables")


def experiments():
    """Experiments whose measurements db() answers from."""
    return names("experiments")
