import { canInstallPackages, findProgram, installPackage } from './debian-package.ts';

/**
 * The path of promtool, which checks rules of Prometheus. Installs the distribution's package if it
 * is missing, as root on Debian and Ubuntu. If that is not possible, prints the reason to standard
 * error and returns null.
 */
export async function findPromtool(): Promise<string | null> {
  const present = findProgram(['promtool']);
  if (present) return present;
  let reason = 'this is not root on Debian or Ubuntu';
  if (canInstallPackages()) {
    process.stderr.write('No promtool here: installing the package prometheus with apt-get (once)\n');
    try {
      await installPackage('prometheus');
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  const installed = findProgram(['promtool']);
  if (installed) return installed;
  process.stderr.write(
    `NOT CHECKED: the alert rules, because promtool is missing: install the package prometheus (${reason})\n`,
  );
  return null;
}
