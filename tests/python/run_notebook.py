"""Runs the code of a notebook as Jupyter would, and prints what each cell's last expression is.

usage: run_notebook.py FILE.ipynb [--slow]    cells with the tag "slow" run with --slow only
"""

import ast
import json
import sys


def run_cell(source, space):
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    shown = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last else None
    if shown is not None:
        print(repr(shown))


def main():
    slow = "--slow" in sys.argv
    with open(sys.argv[1], encoding="utf-8") as file:
        notebook = json.load(file)
    space = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"] and cell["execution_count"] is None, "strip the outputs before you commit"
        if slow or "slow" not in cell["metadata"].get("tags", []):
            run_cell("".join(cell["source"]), space)


main()
