import { canInstallPackages, findProgram, installPackage } from './debian-package.ts';

const servers = ['redis-server', 'valkey-server'];

/**
 * The path of a Redis server program. Installs the distribution's package if none is present, as
 * root on Debian and Ubuntu.
 * @throws when no server is present and none can be installed; the message explains what to install
 */
export async function ensureRedisServer(): Promise<string> {
  const present = findProgram(servers);
  if (present) return present;

  const advice =
    'Redis is needed and none was found: install the package redis-server (or valkey), or set REDIS_URL to a running one.';
  if (!canInstallPackages()) throw new Error(advice);

  process.stderr.write('No redis-server here: installing it with apt-get (once)\n');
  try {
    await installPackage('redis-server');
  } catch (error) {
    throw new Error(`${advice} (Installing it failed: ${error instanceof Error ? error.message : error})`);
  }
  const installed = findProgram(servers);
  if (!installed) throw new Error(advice);
  return installed;
}
