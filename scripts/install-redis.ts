import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const servers = ['redis-server', 'valkey-server'];
const policyFile = '/usr/sbin/policy-rc.d';

/**
 * The path of a Redis server program, installed through the distribution's packages where none is there and
 * this process may do so (Debian and Ubuntu, as root).
 * @throws when there is none and none could be installed; the message says what to install.
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
 * The package starts a service of its own on port 6379. Nobody asked for that one: a policy that forbids it is
 * laid down for the time of the installation, unless the machine already has a policy.
 */
async function installWithoutStarting(): Promise<void> {
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    // The lists of a fresh image are empty and those of an old one name packages that are gone: either way the
    // first attempt fails fast, and only then are new lists worth their time.
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
    // Another apt-get may be at work (two commands started at once): wait for its lock instead of failing.
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
