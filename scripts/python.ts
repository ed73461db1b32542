import { spawnSync } from 'node:child_process';
import { canInstallPackages, findProgram, installPackage } from './debian-package.ts';

/** Debian has the modules that make an environment in a package of their own. */
const CHECK = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';

/**
 * A Python 3.10 or newer that can make virtual environments: the one in the variable `PYTHON`, or `python3`,
 * which is completed as root on Debian and Ubuntu.
 * @throws if there is none
 */
export async function ensurePython(): Promise<string> {
  const named = process.env.PYTHON;
  const found = named ?? findProgram(['python3']);
  if (found !== undefined && isSufficient(found)) return found;
  if (named === undefined && canInstallPackages()) {
    process.stderr.write(
      'No Python with venv here: installing the package python3-venv with apt-get (once)\n',
    );
    await installPackage('python3-venv');
    if (isSufficient('/usr/bin/python3')) return '/usr/bin/python3';
  }
  throw new Error(
    `there is no Python 3.10 or newer with the module venv here (${found ?? 'python3'}): install python3-venv, or name another in PYTHON`,
  );
}

function isSufficient(python: string): boolean {
  return spawnSync(python, ['-c', CHECK], { stdio: 'ignore' }).status === 0;
}
