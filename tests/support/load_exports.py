"""Loads exported files in Kernel Tuner, as its users do. Ends with 77 where it is not installed.
Where autotuning_methodology is installed, its schema is used, too.

Usage: load_exports.py HOME CACHE T4 T1 BEST_WIDTH BEST_HEIGHT OK CONFIGURATIONS
HOME holds kernels/; the last four are what must be found.
"""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import sys

try:
    import jsonschema
    import kernel_tuner
    from kernel_tuner import file_utils, util
except ImportError as error:
    print(error)
    sys.exit(77)

home, cache, t4, t1 = (pathlib.Path(name).resolve() for name in sys.argv[1:5])
best, (ok, configurations) = tuple(map(int, sys.argv[5:7])), map(int, sys.argv[7:9])


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found}, not {wanted}")


def check_winner(what, results):
    valid = [result for result in results if "__error__" not in result]
    winner = min(valid, key=lambda result: result["time"])
    check(f"{what}: best", (winner["block_size_x"], winner["block_size_y"]), best)
    check(f"{what}: ok", len(valid), ok)


# T1 names the kernel's text relative to HOME.
os.chdir(home)
text = cache.read_text()
entries = util.read_cache(cache, open_cache=False)["cache"]
check("cache: configurations", len(entries), configurations)
check("cache: ok", sum("__error__" not in entry for entry in entries.values()), ok)

# The whole space, with what Kernel Tuner finds out from the cache alone.
with contextlib.redirect_stdout(io.StringIO()):
    results, _ = kernel_tuner.tune_cache(cache, strategy="brute_force", verbose=False)
    check_winner("tune_cache", results)
    # With a time limit it needs the costs of every entry.
    kernel_tuner.tune_cache(
        cache, strategy="random_sample", strategy_options={"time_limit": 1, "fraction": 1}
    )

    # The whole space, as the tuning problem describes it.
    problem = file_utils.get_input_file(t1)
    results, _ = kernel_tuner.tune_kernel_T1(
        t1, cache_filepath=cache, simulation_mode=True, output_T4=False
    )
    check_winner("tune_kernel_T1", results)

# What Kernel Tuner itself makes of the results must be valid too.
_, schema = file_utils.output_file_schema("results")
parameters = {p["Name"]: p["Values"] for p in problem["ConfigurationSpace"]["TuningParameters"]}
own = file_utils.get_t4_results(results, parameters)
jsonschema.validate(json.loads(json.dumps(own, cls=util.NpEncoder)), schema)
ours = json.loads(t4.read_text())
jsonschema.validate(ours, schema)
# The later version of the schema comes with another package; Kernel Tuner's own may not have it.
later = importlib.util.find_spec("autotuning_methodology")
if later:
    path = pathlib.Path(later.submodule_search_locations[0]) / "schemas" / "T4.json"
    jsonschema.validate(ours, json.loads(path.read_text()))
check("T4: results", len(ours["results"]), configurations)
check("T4: ok", sum(result["invalidity"] == "correct" for result in ours["results"]), ok)

# Tuning goes on with a cache by opening it for more; closing restores it.
copy = cache.with_suffix(".copy")
shutil.copy(cache, copy)
util.read_cache(copy)
util.close_cache(copy)
check("re-opened cache", len(json.loads(copy.read_text())["cache"]), configurations)
check("cache is unchanged", cache.read_text(), text)
