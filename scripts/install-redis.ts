import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const servers = ['redis-server', 'valkey-server'];
const policyFile = '/usr/sbin/policy-rc.d';

/**
 * The path of a Redis server program. Installs the distribution's package when none is present, as root on Debian and
 * Ubuntu.
 * @throws when no server is present and none can be installed; the message says what to install.
 */
export async function ensureRedisServer(): Promise<string> {
  const present = findServer();
  if (present) return present;

  const advice =
    'Redis is needed and none was found: install the package redis-server (or valkey), or set REDIS_URL to a running one.';
  if (process.getuid?.() !== 0 || !findOnPath('apt-get')) throw new Error(advice);

  process.stderr.write('No redis-server here: installing it with apt-get (once)\n');
  try {
    await installWithoutStarting();
  } catch (error) {
    throw new Error(`${advice} (Installing it failed: ${error instanceof Error ? error.message : error})`);
  }
  const installed = findServer();
  if (!installed) throw new Error(advice);
  return installed;
}

function findServer(): string | undefined {
  for (const name of servers) {
    const path = findOnPath(name);
    if (path) return path;
  }
  return undefined;
}

function findOnPath(name: string): string | undefined {
  for (const folder of [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
  ]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (folder !== '') return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/**
 * The package starts a service on port 6379, which is not needed. A temporary policy file prevents the start, unless
 * the machine already has a policy.
 */
async function installWithoutStarting(): Promise<void> {
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    // Without current package lists the first attempt fails fast. Only then are the lists updated.
    if (!(await apt(['install', '-y', '--no-install-recommends', 'redis-server'], false))) {
      await apt(['update'], true);
      await apt(['install', '-y', '--no-install-recommends', 'redis-server'], true);
    }
  } finally {
    if (ownPolicy) rmSync(policyFile, { force: true });
  }
  if (ownPolicy && existsSync('/run/systemd/system')) {
    spawnSync('systemctl', ['disable', '--quiet', 'redis-server'], { stdio: 'ignore' });
  }
}

function apt(args: string[], required: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // Waits for the lock of another apt-get instead of failing.
    const child = spawn('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-1000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(true);
      else if (!required) resolve(false);
      else reject(new Error(`apt-get ${args[0]} ended with ${code}: ${output.trim().split('\n').at(-1)}`));
    });
  });
}
