"""Imports the modules of the named packages, and prints the results as JSON.

The names of a package and of its modules differ, so the installed metadata says which modules it has. Each
package is imported in a process of its own, which may hang or crash.
"""

import importlib.machinery
import importlib.metadata
import json
import subprocess
import sys

SECONDS = 300
MAX_ERROR = 300
SUFFIXES = (*importlib.machinery.SOURCE_SUFFIXES, *importlib.machinery.EXTENSION_SUFFIXES)
IMPORT = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"


def modules_of(distribution):
    """The top modules: those that the package declares, else those of its files."""
    declared = (distribution.read_text("top_level.txt") or "").split()
    names = {name for name in declared or map(top_of, distribution.files or []) if name.isidentifier()}
    # Private modules may need others of the package to be imported first.
    return sorted(name for name in names if not name.startswith("_")) or sorted(names)


def top_of(file):
    if not file.name.endswith(SUFFIXES):
        return ""
    return file.parts[0] if len(file.parts) > 1 else file.name.split(".")[0]


def import_error(modules):
    command = [sys.executable, "-c", IMPORT, *modules]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return "the import has not ended after %d s" % SECONDS
    if done.returncode == 0:
        return None
    lines = done.stderr.decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if done.returncode < 0:
        return "the import was ended by signal %d" % -done.returncode
    return (last or "the import exited with status %d" % done.returncode)[:MAX_ERROR]


def result_of(name):
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return {"name": name, "version": None, "imported": False, "error": "the package is not installed"}
    modules = modules_of(distribution)
    error = import_error(modules) if modules else None
    return {
        "name": name,
        "version": distribution.version,
        "imported": bool(modules) and error is None,
        "error": error,
    }


def main(names):
    results = []
    for name in names:
        results.append(result_of(name))
        print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    print(json.dumps(results))


main(sys.argv[1:])
