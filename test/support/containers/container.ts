import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run } from '../../../scripts/release/run.ts';
import type { Image } from './image.ts';

/** What a Kubernetes manifest says of a container, in the terms of the OCI runtime specification. */
export interface ContainerSettings {
  command: readonly string[];
  environment: Record<string, string>;
  user: { uid: number; gid: number };
  readOnlyRoot: boolean;
  noNewPrivileges: boolean;
  memoryBytes: number;
  /** Which system calls are allowed, in the terms of the OCI runtime specification; all without it. */
  seccomp?: object;
  /** Folders in memory: their sizes in bytes by their paths. */
  temporaryFolders: Record<string, number>;
  /** Folders of this machine that the container can read, by their paths in the container. */
  folders: Record<string, string>;
}

/** A builder is the user root, and may write. */
const BUILDER: Omit<ContainerSettings, 'command'> = {
  environment: {},
  user: { uid: 0, gid: 0 },
  readOnlyRoot: false,
  noNewPrivileges: true,
  memoryBytes: 1024 ** 3,
  temporaryFolders: { '/tmp': 64 * 1024 ** 2 },
  folders: {},
};

let made = 0;

/** Runs a command in a new container. @throws with its output if it fails */
export async function runInContainer(runc: string, image: Image, command: string[]): Promise<void> {
  const container = Container.start(runc, image, { ...BUILDER, command });
  const code = await container.exitCode;
  if (code !== 0) throw new Error(`${command.at(-1)} ended with ${code}: ${container.output.join('\n')}`);
}

/**
 * A container of `runc`. It shares the network of this machine, so that its processes listen on the loopback
 * addresses that tests may use.
 */
export class Container {
  readonly output: string[] = [];
  /** Null if a signal ended the process. */
  readonly exitCode: Promise<number | null>;
  readonly #runc: string;
  readonly #name: string;
  readonly #bundle: string;
  readonly #process: ChildProcess;

  private constructor(runc: string, image: Image, settings: ContainerSettings) {
    made += 1;
    this.#runc = runc;
    this.#name = `gateway-test-${process.pid}-${made}`;
    this.#bundle = mkdtempSync(join(tmpdir(), 'gateway-container-'));
    writeFileSync(join(this.#bundle, 'config.json'), JSON.stringify(runtimeConfig(image, settings)));
    this.#process = spawn(runc, ['run', '--bundle', this.#bundle, this.#name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.output.push(line));
    }
    this.exitCode = once(this.#process, 'close').then(([code]) => {
      rmSync(this.#bundle, { recursive: true, force: true });
      return code as number | null;
    });
  }

  static start(runc: string, image: Image, settings: ContainerSettings): Container {
    return new Container(runc, image, settings);
  }

  /** Runs a command in the running container and returns its output. @throws if it fails */
  exec(command: readonly string[]): Promise<string> {
    return run(this.#runc, ['exec', this.#name, ...command], this.#bundle);
  }

  /** Sends a signal to the first process of the container. */
  async signal(name: string): Promise<void> {
    await run(this.#runc, ['kill', this.#name, name], this.#bundle);
  }

  /** Removes the container, whatever it does. */
  async remove(): Promise<void> {
    if (this.#process.exitCode === null) {
      await run(this.#runc, ['delete', '--force', this.#name], this.#bundle).catch(() => {});
    }
    await this.exitCode;
  }
}

/** See https://github.com/opencontainers/runtime-spec/blob/main/config.md. */
function runtimeConfig(image: Image, settings: ContainerSettings): object {
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...image.environment, ...settings.environment };
  const inMemory = ['nosuid', 'noexec', 'nodev'];
  return {
    ociVersion: '1.0.2',
    root: { path: image.rootfs, readonly: settings.readOnlyRoot },
    hostname: 'gateway',
    process: {
      terminal: false,
      user: settings.user,
      args: settings.command,
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd: image.folder,
      // All capabilities are dropped.
      capabilities: {},
      noNewPrivileges: settings.noNewPrivileges,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      ...Object.entries(settings.temporaryFolders).map(([destination, bytes]) => ({
        ...{ destination, type: 'tmpfs', source: 'tmpfs' },
        options: [...inMemory, 'mode=1777', `size=${bytes}`],
      })),
      ...Object.entries(settings.folders).map(([destination, source]) => ({
        ...{ destination, type: 'bind', source },
        options: ['rbind', 'ro', ...inMemory],
      })),
    ],
    linux: {
      ...(settings.seccomp && { seccomp: settings.seccomp }),
      resources: { memory: { limit: settings.memoryBytes, swap: settings.memoryBytes } },
      namespaces: [{ type: 'pid' }, { type: 'ipc' }, { type: 'uts' }, { type: 'mount' }],
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
    },
  };
}
