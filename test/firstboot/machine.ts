import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCommand } from '../../scripts/firstboot-machine.ts';
import { projectRoot } from '../../scripts/server-process.ts';
import { stopWithParent } from '../../scripts/stop-with-parent.ts';
import { type Finding, findingsOf } from './findings.ts';

/** What the machines told, by name, until the next run. */
const logFolder = join(projectRoot, '.data/firstboot');
/** Of one boot with its check. Emulated, on a busy machine, with shares that it waits for in vain. */
const BOOT_SECONDS = 900;
/** Exit codes of `boot` that tell nothing of the check. */
const [WRONG_CALL, TIMED_OUT, NOT_HAD] = [2, 124, 125];

export interface MachineSpec {
  /** Names its folder below .data/firstboot. */
  name: string;
  userData: Buffer;
  /** Scripts of `checks/`, run by root in the machine after each boot. */
  checks: string[];
  env?: Record<string, string>;
  /** Further options of `boot`. */
  options?: string[];
  /** Whether it ends by switching itself off; it is not looked into then. */
  switchesOff?: boolean;
}

/** A machine as it was: it has been booted, looked into and thrown away. */
export interface Machine {
  /** What its check found in that boot, counted from 1. @throws when the check did not tell. */
  found(key: string, boot?: number): Finding;
  /** All that `boot` wrote. */
  output: string;
  /** Of all its boots. */
  console: string;
  /** What it asked of the web server, a line each. */
  requests: string[];
  /** What it posted to the web server, which takes all posts, in order. */
  posts: Post[];
}

export interface Post {
  url: string;
  headers: Record<string, string>;
  answered: number;
  body: string;
}

/**
 * Boots a machine with the first-boot data and checks it, once and after each restart that the options name.
 * @throws when it could not be had or did not get to the end
 */
export async function bootMachine(spec: MachineSpec): Promise<Machine> {
  const { name, userData, checks, env = {}, options = [], switchesOff = false } = spec;
  const folder = join(logFolder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const inputs = mkdtempSync(join(tmpdir(), 'gateway-firstboot-'));
  const userDataFile = join(inputs, 'user-data');
  const checkFile = join(inputs, 'check.sh');
  writeFileSync(userDataFile, userData, { mode: 0o600 });
  writeFileSync(checkFile, ['functions', ...checks].map(scriptOf).join('\n'));
  const args = [
    ...['--user-data', userDataFile, '--check', checkFile, '--logs', folder],
    // The schema is the unit tests' matter; in an emulated machine the look takes long.
    ...['--timeout', String(BOOT_SECONDS), '--no-schema'],
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...options,
  ];
  const { code, output } = await run(args).finally(() => rmSync(inputs, { recursive: true, force: true }));
  writeFileSync(join(folder, 'boot.log'), output);
  const isOff = code === NOT_HAD && output.includes('qemu ended (0)');
  if (switchesOff ? !isOff : [WRONG_CALL, TIMED_OUT, NOT_HAD].includes(code ?? NOT_HAD)) {
    throw new Error(`The machine ${name} ended with ${code}, see ${folder}:\n${lastLines(output)}`);
  }
  const findings = findingsOf(output);
  return {
    output,
    console: readFileSync(join(folder, 'console.log'), 'utf8'),
    requests: readFileSync(join(folder, 'requests.log'), 'utf8').trim().split('\n'),
    posts: readPosts(join(folder, 'posts')),
    found(key, boot = 1) {
      const finding = findings.get(boot)?.get(key);
      if (finding === undefined) {
        throw new Error(`The check of boot ${boot} told nothing of "${key}", see ${folder}/boot.log.`);
      }
      return finding;
    },
  };
}

async function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(bootCommand, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  stopWithParent(child);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

function scriptOf(name: string): string {
  return readFileSync(new URL(`checks/${name}.sh`, import.meta.url), 'utf8');
}

function readPosts(folder: string): Post[] {
  const files = readdirSync(folder).sort();
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Post);
}

function lastLines(output: string): string {
  return output.split('\n').slice(-40).join('\n');
}
