"""Checks of python/shoal.py against the program. Prints a line for each: `ok: NAME`, or `failed: NAME` and why.

test_python.c has a test for each; it runs this in a folder of its own.
"""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import traceback

import numpy
import pandas
import shoal
import xarray

HERE = pathlib.Path(os.environ["HERE"])
SMALL = {"nx": 40, "scheme": "rk2", "mode": "strict", "backend": "cpu", "threads": 1}
LONG = {**SMALL, "nx": 100, "t_end": 1000, "reconstruction": "kp"}


class Screen(io.StringIO):
    """A terminal; when it shows how far the run is, something happens."""

    def __init__(self, then=lambda: None):
        super().__init__()
        self.then = then

    def isatty(self):
        return True

    def write(self, text):
        super().write(text)
        if " of 1000 s  step " in text:
            self.then()
            self.then = lambda: None


def shown(screen, work):
    """What comes of work() with that stderr; an exception is what comes of it, too."""
    before, sys.stderr = sys.stderr, screen
    try:
        return work()
    except (shoal.Error, KeyboardInterrupt) as stop:
        return stop
    finally:
        sys.stderr = before


def same(a, b):
    """Of two Datasets: the variables and the same values, to the bit."""
    assert list(a.variables) == list(b.variables)
    for name in a.variables:
        assert numpy.array_equal(a[name].values, b[name].values), name


def run_by_hand(*words):
    subprocess.run([shoal.program(), "run", *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)


def no_temporaries():
    return not list(pathlib.Path(tempfile.gettempdir()).glob("shoal-*"))


def a_result_has_what_the_program_writes_and_nothing_stays_on_disk():
    flow = shown(Screen(), lambda: shoal.run("circular-dam", t_end=0.5, maxima=True, **SMALL))
    words = [f"--{name}={value}" for name, value in SMALL.items()]
    run_by_hand("circular-dam", "--t-end", "0.5", "--maxima", *words, "--output", "by-hand.nc")
    with xarray.open_dataset("by-hand.nc") as by_hand:
        same(flow, by_hand)
        assert flow.attrs["steps"] == by_hand.attrs["steps"]
    assert f" steps={flow.attrs['steps']} " in flow.attrs["summary"]
    assert flow.h.shape == (1, 40, 40) and float(flow.h_max.max()) == 2.5
    assert no_temporaries()


def output_keeps_the_file_and_the_next_run_replaces_it():
    first = shoal.run("circular-dam", output="kept.nc", t_end=0.1, quiet=True, **SMALL)
    depth = first.h.values
    second = shoal.run("circular-dam", output=pathlib.Path("kept.nc"), t_end=0.5, quiet=True, **SMALL)
    with xarray.open_dataset("kept.nc") as file:
        same(second, file)
    assert second.time.item() == 0.5 and not numpy.array_equal(depth, second.h.values)
    assert no_temporaries()


def options_are_those_of_the_command_line():
    rows = [f"{1100 + row + 0.5 * column}" for row in range(6) for column in range(9)]
    pathlib.Path("a valley.asc").write_text(
        "ncols 9\nnrows 6\nxllcorner 500000\nyllcorner 5500000\ncellsize 10\n" + " ".join(rows) + "\n"
    )
    flow = shoal.run(
        pathlib.Path("a valley.asc"),
        level=1103,
        t_end=numpy.float64(1),
        bc_west=["open", "inflow:2@5500010..5500030"],
        gauge=[("up", 500045, 5500025), "down,500015,5500015"],
        variables=("w", "h"),
        maxima=True,
        hazard=False,
        restart=None,
        quiet=True,
    )
    assert flow.attrs["command_line"].split("--output=")[1].split(" ", 1)[1] == (
        "--level=1103 --t-end=1.0 --bc-west=open --bc-west=inflow:2@5500010..5500030 "
        "--gauge=up,500045,5500025 --gauge=down,500015,5500015 --variables=w,h --maxima=yes --hazard=no --quiet=yes"
    )
    assert list(flow.gauge_name.values) == ["up", "down"] and "hazard_max" not in flow
    assert float(flow.bed.min()) > 1099 and float(flow.w.max()) > 1102


def messages_are_exceptions_with_the_exit_status():
    os.environ["SHOAL_DB"] = str(HERE / "tuning_db")
    wrong = [
        (lambda: shoal.run("circular-dan"), 2, "unknown case 'circular-dan': did you mean 'circular-dam'?"),
        (lambda: shoal.run("circular-dam", t_edn=1), 2, "unknown option '--t-edn': did you mean '--t-end'?"),
        (lambda: shoal.run("circular-dam", nx=40 / 2), 2, "--nx: expected a whole number, got '20.0'"),
        (lambda: shoal.run("circular-dam", tuned=False), 2, "--tuned: unknown value 'no'"),
        (lambda: shoal.run("no/such.asc", level=1), 2, "no/such.asc"),
        (lambda: shoal.run("circular-dam", output="no/such/folder.nc"), 2, "no/such/folder.nc"),
        (lambda: shoal.db("SELECT nought"), 2, "no such column: nought"),
        (lambda: shoal.run("circular-dam", print_config=True), None, "shoal.call('run', ...)"),
        (lambda: shoal.call("run", "lake", dt=0.5, steps=500, quiet=True, **SMALL), 4, "broke down"),
    ]
    for work, status, says in wrong:
        screen = Screen()
        error = shown(screen, work)
        assert isinstance(error, shoal.Error) and error.status == status, repr(error)
        assert says in str(error) and "shoal: error" not in str(error) + screen.getvalue(), str(error)
    pathlib.Path("killed").write_text("#!/bin/sh\necho half\nkill -9 $$\n")
    os.chmod("killed", 0o755)
    os.environ["SHOAL_PROGRAM"] = "./killed"
    error = shown(Screen(), lambda: shoal.call("run"))
    assert error.status == -9 and "signal 9" in str(error) and error.printed == "half\n"
    assert no_temporaries()


def ctrl_c_ends_a_run_after_its_checkpoint_which_goes_on_to_the_same_bits():
    screen = Screen(lambda: os.kill(os.getpid(), signal.SIGINT))
    stop = shown(screen, lambda: shoal.run("circular-dam", output="cut.nc", **LONG))
    assert isinstance(stop, KeyboardInterrupt), repr(stop)
    assert "--restart cut.nc.checkpoint.nc" in str(stop)
    with xarray.open_dataset("cut.nc.checkpoint.nc") as file:
        end = {**LONG, "t_end": file.time.item() + 0.1}
    again = shoal.run("circular-dam", output="cut.nc", restart="cut.nc.checkpoint.nc", quiet=True, **end)
    straight = shoal.run("circular-dam", quiet=True, **end)
    assert numpy.array_equal(again.h.values, straight.h.values)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def ctrl_c_without_output_leaves_nothing():
    screen = Screen(lambda: os.kill(os.getpid(), signal.SIGINT))
    stop = shown(screen, lambda: shoal.run("circular-dam", **LONG))
    assert isinstance(stop, KeyboardInterrupt) and "nothing is kept" in str(stop), repr(stop)
    assert "--restart" not in str(stop) and no_temporaries()


def progress_goes_to_terminals_and_the_log_alone_to_files():
    screen, file = Screen(lambda: os.kill(os.getpid(), signal.SIGINT)), io.StringIO()
    shown(screen, lambda: shoal.run("circular-dam", **LONG))
    said = screen.getvalue()
    assert "Mcells/s  ETA " in said and "shoal: kappa " in said
    pathlib.Path("said").write_text(said + "shoal: volume\n")
    pathlib.Path("speaks").write_text("#!/bin/sh\ncat said >&2\n")
    os.chmod("speaks", 0o755)
    os.environ["SHOAL_PROGRAM"] = "./speaks"
    shown(file, lambda: shoal.call("run"))
    lines = file.getvalue()
    assert "shoal: kappa " in lines and lines.endswith("shoal: volume\n"), lines
    assert "\r" not in lines and "\033" not in lines and "ETA" not in lines, lines


def a_run_ends_where_python_dies():
    """The child is killed as soon as it has shown progress."""
    pid = os.fork()
    if pid == 0:
        shown(Screen(lambda: os.kill(os.getpid(), signal.SIGKILL)), lambda: shoal.run("circular-dam", "dead.nc", **LONG))
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL
    patience = time.monotonic() + 60
    while not os.path.exists("dead.nc.checkpoint.nc"):
        assert time.monotonic() < patience, "the run goes on without Python"
        time.sleep(0.05)


def lists_are_titles_by_name():
    schemes = shoal.schemes()
    assert isinstance(schemes, pandas.Series) and schemes["rk2"].startswith("Kurganov-Petrova in space")
    assert set(schemes.index) == {path.parent.name for path in HERE.glob("schemes/*/*.c")}
    assert set(shoal.cases().index) >= {"circular-dam", "vortex"} and "hll" in shoal.fluxes()
    assert set(shoal.limiters().index) == {path.stem for path in HERE.glob("kernels/limiters/*.h")}
    assert "kp" in shoal.reconstructions() and "hu" in shoal.variables() and "bench" in shoal.experiments()


def answers_of_the_database_are_data_frames():
    os.environ["SHOAL_DB"] = str(HERE / "tuning_db")
    query = "SELECT scheme, nx, mcells_per_s, '' AS none, 'a \"b' AS text FROM measured_bench"
    table = shoal.db(query, device="nvidia-h200")
    printed = shoal.call("db", "sql", query, device="nvidia-h200").splitlines()
    assert len(table) == len(printed) - 1 > 10
    scheme, nx, speed = printed[1].split("\t")[:3]
    assert (table.scheme[0], table.nx[0], table.mcells_per_s[0]) == (scheme, int(nx), float(speed))
    assert table.none.isna().all() and (table.text == 'a "b').all() and table.nx.dtype == int


def the_page_of_the_manual_says_what_runs():
    os.environ["SHOAL_DB"] = str(HERE / "tuning_db")
    page = (HERE / "manual" / "python.md").read_text()
    subprocess.run(["sh", HERE / "manual" / "valley.sh"], check=True)
    code, space = [], {}
    for paragraph in page.split("\n\n"):
        block = textwrap.dedent(paragraph)
        if block != paragraph and not block.startswith(("python3 ", "jupyter ")):
            code.append(block.replace("nx=400", "nx=40").replace("t_end=300", "t_end=3"))
    assert len(code) == 4, code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec("\n".join(code), space)
    assert space["dam"].h.sizes["x"] == 40 and "h_max" in space["flood"] and os.path.exists("flood.nc")
    assert "did you mean 'minmod'?" in printed.getvalue()
    assert len(eval(re.search(r"`(shoal\.render\([^`]*)`", page)[1], space)) > 1000
    assert all(callable(getattr(shoal, name)) for name in re.findall(r"`(?:shoal\.)?(\w+)\(", page))


def the_program_is_that_of_the_variable_of_the_source_or_an_installed_one():
    def module(folder):
        os.makedirs(folder)
        shutil.copy(HERE / "python" / "shoal.py", folder)
        spec = importlib.util.spec_from_file_location("copied", os.path.join(folder, "shoal.py"))
        copied = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(copied)
        return copied

    def link(path):
        os.makedirs(os.path.dirname(path))
        os.symlink(os.environ["SHOAL_PROGRAM"], path)
        return os.path.abspath(path)

    assert shoal.program() == os.environ["SHOAL_PROGRAM"]
    in_path, in_tree, in_prefix = link("found/bin/shoal"), link("tree/build/shoal"), link("prefix/bin/shoal")
    os.environ["SHOAL_PROGRAM"] = "no/such"
    assert "SHOAL_PROGRAM=no/such" in str(shown(Screen(), shoal.program))
    del os.environ["SHOAL_PROGRAM"]
    alone, path = module("nowhere/python"), os.environ["PATH"]
    os.environ["PATH"] = os.path.dirname(in_path)
    assert alone.program() == in_path
    assert module("tree/python").program() == in_tree
    assert module("prefix/share/shoal/python").program() == in_prefix
    os.environ["PATH"] = "/nonexistent"
    try:
        raise AssertionError(alone.program())
    except alone.Error as error:
        assert "type `make`" in str(error) and "SHOAL_PROGRAM" in str(error)
    finally:
        os.environ["PATH"] = path


CHECKS = [check for name, check in list(globals().items()) if callable(check) and name.count("_") > 3]


def main():
    before = dict(os.environ)
    for check in CHECKS:
        try:
            check()
            print(f"ok: {check.__name__}", flush=True)
        except BaseException:
            print(f"failed: {check.__name__}\n{traceback.format_exc()}", flush=True)
        os.environ.clear()
        os.environ.update(before)


if __name__ == "__main__":
    main()
