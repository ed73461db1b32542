import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { filesOf, type MachinePlan } from './plan.ts';

/** The paths of guest scripts that a sandbox redirects into its folder. */
const GUEST_PATHS =
  /\/((usr\/local\/lib|etc|var\/lib|var\/log|run)\/gateway|(etc|var\/lib)\/rancher|opt\/k3s|etc\/systemd\/system|dev\/console|workspace\/python|sys\/class\/dmi|var\/lib\/cloud|proc\/sys\/kernel)/g;

/**
 * A folder in which the guest's scripts run as in a guest, with fake system programs: `systemctl` mounts
 * nothing, `pip3` installs a file per requirement, and waits end at once.
 */
export class GuestSandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'guest-'));
  readonly #isLayered: boolean;

  /** @param machine its plan, or the files of its first-boot data by path */
  constructor(machine: MachinePlan | ReadonlyMap<string, string>, fakePrograms: Record<string, string> = {}) {
    this.#isLayered = 'overlay' in machine && machine.overlay !== null;
    for (const [path, content] of machine instanceof Map ? machine : filesOf(machine as MachinePlan)) {
      const isScript = path.startsWith('/usr/local/');
      this.write(path, isScript ? this.#inSandbox(content) : content);
    }
    for (const [name, body] of Object.entries({ ...DEFAULT_PROGRAMS, ...fakePrograms })) {
      this.write(`/bin/${name}`, `#!/bin/bash\nguest=${this.folder}\n${body}\n`);
    }
    // Read by every bash: each wait advances the clock of the shell.
    this.write('/bash-env', 'sleep() { SECONDS=$((SECONDS + $1)); command sleep 0.02; }\n');
    for (const path of ['/var/lib/gateway/share', '/var/log', '/run', '/dev']) {
      mkdirSync(this.path(path), { recursive: true });
    }
  }

  /** With paths of this folder, and waits that advance the time since the boot. */
  #inSandbox(script: string): string {
    return script
      .replaceAll(GUEST_PATHS, `${this.folder}/$1`)
      .replace('read -r up _ < /proc/uptime', () => 'up=$SECONDS');
  }

  path(guestPath: string): string {
    return join(this.folder, guestPath);
  }

  /** The content of a guest's file; null if it does not exist. */
  read(guestPath: string): string | null {
    return existsSync(this.path(guestPath)) ? readFileSync(this.path(guestPath), 'latin1') : null;
  }

  write(guestPath: string, content: string | Buffer): void {
    const path = this.path(guestPath);
    mkdirSync(dirname(path), { recursive: true });
    // Renamed, because programs of the guest may read the file at this moment.
    writeFileSync(`${path}.new`, content, { mode: 0o755 });
    renameSync(`${path}.new`, path);
  }

  unlink(guestPath: string): void {
    rmSync(this.path(guestPath));
  }

  /** Runs the guest's work as at a boot, until its end or until the signal: a power failure. */
  boot(powerFailure?: AbortSignal): Promise<{ status: number | null; output: string }> {
    // It would search for its disk among those of this machine.
    assert.ok(!this.#isLayered, 'a layered instance requires a real machine');
    return this.run('/usr/local/sbin/gateway-first-boot', powerFailure);
  }

  /** Runs a program of the guest until its end, or until the signal. */
  async run(program: string, powerFailure?: AbortSignal): Promise<{ status: number | null; output: string }> {
    const { GATEWAY_LOCKED: _, ...environment } = process.env;
    const child = spawn(this.path(program), {
      env: {
        ...environment,
        PATH: `${this.path('/bin')}:${process.env.PATH}:/usr/sbin:/sbin`,
        BASH_ENV: this.path('/bash-env'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, so that all its processes end together.
      detached: true,
    });
    powerFailure?.addEventListener('abort', () => process.kill(-(child.pid ?? Number.NaN), 'SIGKILL'));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, output: out + err };
  }

  remove(): void {
    // A background process of a script that was just killed may still write a file.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const DEFAULT_PROGRAMS = {
  systemctl: `
    printf '%s\\n' "$*" >> "$guest/systemctl.log"
    case $1 in is-system-running) cat "$guest/system-state" 2> /dev/null || echo running ;; esac`,
  timedatectl: 'echo yes',
  journalctl: 'echo "mount.nfs: access denied by server"',
  sync: '[ "$#" != 0 ] || echo sync >> "$guest/systemctl.log"',
  mountpoint: '',
  // A bind mount is a link.
  mount: 'rmdir "$3" && ln -s "$2" "$3"',
  umount: '[ ! -L "$1" ] || { rm "$1" && mkdir "$1"; }',
  dpkg: '',
  'mount.nfs': '',
  pip3: `
    while [ "$1" != --target ]; do shift; done
    target=$2
    while [ "$1" != -- ]; do shift; done
    shift
    for requirement; do printf '%s\\n' "$requirement" > "$target/$(printf %s "$requirement" | sha256sum | cut -c 1-8)"; done`,
  curl: `printf '%s\\n' "$*" >> "$guest/curl.log"; exec -a curl /usr/bin/env -u BASH_ENV PATH="\${PATH#*:}" curl "$@"`,
};
