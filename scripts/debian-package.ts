import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const policyFile = '/usr/sbin/policy-rc.d';

/** The path of the first of these programs that is installed. */
export function findProgram(names: readonly string[]): string | undefined {
  for (const name of names) {
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
      // Not in this folder.
    }
  }
  return undefined;
}

/** True as root on Debian and its derivatives. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined;
}

/**
 * Installs a package of the distribution without starting its service. A temporary policy file prevents the
 * start, unless the machine already has a policy.
 * @throws when apt-get fails
 */
export async function installPackage(name: string): Promise<void> {
  const ownPolicy = !existsSync(policyFile);
  if (ownPolicy) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    // With outdated package lists the first attempt fails fast. Only then are the lists updated.
    if (!(await apt(['install', '-y', '--no-install-recommends', name], false))) {
      await apt(['update'], true);
      await apt(['install', '-y', '--no-install-recommends', name], true);
    }
  } finally {
    if (ownPolicy) rmSync(policyFile, { force: true });
  }
  if (ownPolicy && existsSync('/run/systemd/system')) {
    spawnSync('systemctl', ['disable', '--quiet', name], { stdio: 'ignore' });
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
