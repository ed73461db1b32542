# Checks pip's report of an installation of all packages of the catalogue: the packages are exactly those of the
# constraints, and the constraints meet all requirements of every combination of libraries.
import json
import sys

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

# The archive of the interpreter contains them.
BUNDLED = {"pip", "setuptools"}

given = json.loads(sys.argv[1])
with open(given["report"]) as file:
    installed = {canonicalize_name(item["metadata"]["name"]): item["metadata"] for item in json.load(file)["install"]}
pinned = {canonicalize_name(Requirement(line).name): line for line in given["constraints"]}
problems = set()


def applies(requirement, extra):
    environment = {"platform_machine": given["architecture"], "extra": extra}
    return requirement.marker is None or requirement.marker.evaluate(environment)


def check(requirement, seen):
    """Adds the package and everything that it requires to `seen`."""
    name = canonicalize_name(requirement.name)
    if name in BUNDLED:
        return
    if name not in installed or name not in pinned:
        problems.add(f"{name} is required, but has no constraint")
        return
    metadata = installed[name]
    if not requirement.specifier.contains(metadata["version"], prereleases=True):
        problems.add(f"{requirement} is required, but the constraint is {pinned[name]}")
    for extra in {"", *requirement.extras}:
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        for line in metadata.get("requires_dist", []):
            other = Requirement(line)
            if applies(other, extra):
                check(other, seen)


used = set()
for packages in given["combinations"]:
    seen = set()
    for package in packages:
        check(Requirement(package), seen)
    used |= {name for name, _ in seen}
problems |= {f"{pinned[name]} is a constraint that no library requires" for name in pinned.keys() - used}
sys.exit("\n".join(sorted(problems)) or 0)
