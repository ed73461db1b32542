import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootCommand, type ImageName, imageEnvironment } from '../../scripts/firstboot-machine.ts';
import { projectRoot } from '../../scripts/server-process.ts';
import { stopWithParent } from '../../scripts/stop-with-parent.ts';
import { type CheckResult, checkResults } from './check-results.ts';

/** The output of the machines, by name, until the next run. */
const logFolder = join(projectRoot, '.data/firstboot');
/** For one boot with its check: emulated, on a busy machine, and waiting for shares that never appear. */
const BOOT_SECONDS = 900;
/** Exit codes of `boot` that are not those of the check. */
const [WRONG_USAGE, TIMED_OUT, NO_MACHINE] = [2, 124, 125];

interface MachineSpec {
  /** The name of its folder in .data/firstboot. */
  name: string;
  userData: Buffer;
  /** Scripts of `checks/`, which run as root in the machine after each boot. */
  checks: string[];
  env?: Record<string, string>;
  /** The Debian release of the image; defaults to that of this machine. */
  image?: ImageName;
  /** Further options of `boot`. */
  options?: string[];
  hardware?: Hardware;
  /** Whether the machine powers itself off. No check runs then. */
  powersOff?: boolean;
}

/** What differs from the machine that the tool boots by itself. */
interface Hardware {
  /** The time of its clock, in milliseconds since the epoch. */
  clock?: number;
  /** The second disk is under virtio-scsi. */
  hasScsiDisk?: boolean;
  /** The id of a machine whose data is on a config drive, in a network without DHCP. */
  configDriveOf?: string;
}

/** The results of a machine that was booted, checked and removed. */
export interface Machine {
  /** The result of a check in a boot, counted from 1. @throws if the check has no result */
  result(key: string, boot?: number): CheckResult;
  /** The output of `boot`. */
  output: string;
  /** The console of all boots. */
  console: string;
  /** Its requests to the web server, a line each. */
  requests: string[];
  /** Its POST requests to the web server, in order. */
  posts: Post[];
}

interface Post {
  url: string;
  headers: Record<string, string>;
  answered: number;
  body: string;
}

/**
 * Boots a machine with the first-boot data and checks it after the boot and after each restart
 * that the options request.
 * @throws if no machine could be started, or it did not finish
 */
export async function bootMachine(spec: MachineSpec): Promise<Machine> {
  const {
    name,
    userData,
    checks,
    env = {},
    image = 'bookworm',
    options = [],
    powersOff = false,
    hardware,
  } = spec;
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
    // The unit tests check the schema; in an emulated machine that would take long.
    ...['--timeout', String(BOOT_SECONDS), '--no-schema'],
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...options,
  ];
  const { code, output } = await run(args, {
    ...imageEnvironment(image),
    ...hardwareEnvironment(hardware),
  }).finally(() => rmSync(inputs, { recursive: true, force: true }));
  writeFileSync(join(folder, 'boot.log'), output);
  const isOff = code === NO_MACHINE && output.includes('qemu ended (0)');
  if (powersOff ? !isOff : [WRONG_USAGE, TIMED_OUT, NO_MACHINE].includes(code ?? NO_MACHINE)) {
    throw new Error(`The machine ${name} ended with ${code}, see ${folder}:\n${lastLines(output)}`);
  }
  const results = checkResults(output);
  return {
    output,
    console: readFileSync(join(folder, 'console.log'), 'utf8'),
    requests: readFileSync(join(folder, 'requests.log'), 'utf8').trim().split('\n'),
    posts: readPosts(join(folder, 'posts')),
    result(key, boot = 1) {
      const result = results.get(boot)?.get(key);
      if (result === undefined) {
        throw new Error(`The check of boot ${boot} has no result for "${key}", see ${folder}/boot.log.`);
      }
      return result;
    },
  };
}

/** A program in front of qemu changes the hardware. */
function hardwareEnvironment(hardware: Hardware | undefined): Record<string, string> {
  if (hardware === undefined) return {};
  const { clock, configDriveOf = '', hasScsiDisk = false } = hardware;
  return {
    PATH: `${fileURLToPath(new URL('hardware', import.meta.url))}:${process.env.PATH}`,
    RTC_BASE: clock === undefined ? '' : new Date(clock).toISOString().slice(0, 19),
    SCSI_DISK: hasScsiDisk ? 'yes' : '',
    CONFIG_DRIVE: configDriveOf,
  };
}

async function run(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(bootCommand, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
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
