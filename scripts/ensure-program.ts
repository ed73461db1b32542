import { canInstallPackages, findProgram, installPackage } from './debian-package.ts';

/**
 * The path of the first of these programs that is installed. If none is, installs the distribution's
 * package, as root on Debian and Ubuntu. If that fails, prints the reason to standard error and returns
 * null.
 */
export async function ensureProgram(names: readonly string[], packageName: string): Promise<string | null> {
  const present = findProgram(names);
  if (present) return present;
  if (!canInstallPackages()) return null;
  process.stderr.write(`No ${names[0]} here: installing the package ${packageName} with apt-get (once)\n`);
  try {
    await installPackage(packageName);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  }
  return findProgram(names) ?? null;
}
