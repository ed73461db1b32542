import { createHash } from 'node:crypto';
import { isLetIn, shareMounts } from './mounts.ts';
import { FIRST_BOOT } from './plan.ts';
import type { Role } from './role.ts';
import type { Vm } from './vm.ts';

const SHARE_RETRY_MS = 5_000;
const SHARE_PATIENCE_MS = 300_000;
/** For data that sets no limit. */
const LONGEST_BUILD_SECONDS = 7_200;
const LONGEST_TAIL = 4_000;
const INTERIM_TIMEOUT_MS = 5_000;
const FINAL_TIMEOUT_MS = 30_000;

/** A machine that installs a library into a share, reports to whom its data names, and switches itself off. */
export const builder: Role = {
  task: 'build',
  async run(vm) {
    if (vm.machine.isDone) return;
    const build = new Build(vm);
    const { outcome } = vm.cloud.settings.guest;
    if (outcome === 'silent') return;
    const end = await build.work();
    if (end !== null) {
      await build.report(end);
      vm.machine.isDone = true;
    }
    vm.powerOff();
  },
};

type Ending = { success: true; manifest: object } | { success: false; error: string };

class Build {
  readonly #vm: Vm;
  readonly #log: string[] = [];
  readonly #limitMs: number;
  #stage = '';
  #told: Promise<unknown> = Promise.resolve();
  /** Until it is told that nobody wants its reports. */
  #isHeard = true;

  constructor(vm: Vm) {
    this.#vm = vm;
    const seconds = Number(vm.machine.plan.get('time_limit'));
    this.#limitMs = (seconds > 0 ? seconds : LONGEST_BUILD_SECONDS) * 1000;
  }

  /** Null when the machine crashes in the middle of it. */
  async work(): Promise<Ending | null> {
    const { workMs, outcome } = this.#vm.cloud.settings.guest;
    const { plan } = this.#vm.machine;
    this.#enter('share');
    if (!(await this.#isLetIn())) return { success: false, error: 'the share can not be mounted' };
    this.#enter('packages');
    this.#tell();
    const leftMs = this.#limitMs - this.#vm.elapsedMs;
    await this.#vm.wait(Math.max(0, Math.min(workMs, leftMs)));
    if (outcome === 'powers-off') return null;
    if (workMs > leftMs) {
      return { success: false, error: `not done after ${this.#limitMs / 1000} seconds` };
    }
    const packages = plan.all('package_1');
    if (outcome === 'fails') {
      return { success: false, error: `no matching distribution found for ${packages[0] ?? 'pip'}` };
    }
    for (const name of packages) this.#log.push(`Successfully installed ${name}`);
    this.#enter('manifest');
    const manifest = this.#manifest();
    this.#enter('done');
    return { success: true, manifest };
  }

  /** Until somebody has taken it or wants no more, or the machine's time is up. */
  async report(end: Ending): Promise<void> {
    const { retryMs } = this.#vm.cloud.settings.guest;
    if (!end.success) this.#log.push(`FAILED at stage ${this.#stage}: ${end.error}`);
    await this.#told;
    while (this.#isHeard) {
      const status = await this.#post(end, FINAL_TIMEOUT_MS);
      if (status === 200 || this.#vm.elapsedMs + retryMs >= this.#limitMs) return;
      if (this.#isHeard) await this.#vm.wait(retryMs);
    }
  }

  #enter(stage: string): void {
    this.#stage = stage;
    const at = secondsOf(this.#vm.cloud.clock.now());
    this.#log.push(`${at} stage ${stage}`);
    this.#vm.machine.console.push(`gateway build: stage ${stage}`);
  }

  async #isLetIn(): Promise<boolean> {
    const { cloud, server, machine, elapsedMs } = this.#vm;
    const untilMs = Math.min(elapsedMs + SHARE_PATIENCE_MS, this.#limitMs);
    const mounts = shareMounts(machine.data);
    for (;;) {
      if (mounts.every((mount) => isLetIn(cloud, server, mount))) return true;
      if (this.#vm.elapsedMs >= untilMs) return false;
      await this.#vm.wait(SHARE_RETRY_MS);
    }
  }

  /** How it goes on: once, and the work does not wait for an answer. */
  #tell(): void {
    this.#told = this.#post({}, INTERIM_TIMEOUT_MS);
  }

  async #post(what: object, timeoutMs: number): Promise<number | null> {
    const { plan, data } = this.#vm.machine;
    const token = data.files.get(`${FIRST_BOOT}/report-token`)?.trim() ?? '';
    const body = { token, stage: this.#stage, ...what, log_tail: this.#logTail() };
    const ca = data.files.get(`${FIRST_BOOT}/report-ca.pem`);
    const status = await this.#vm.post(plan.get('report_url') ?? '', body, timeoutMs, ca);
    if (status === 403) this.#isHeard = false;
    return status;
  }

  #logTail(): string {
    return this.#log.join('\n').slice(-LONGEST_TAIL);
  }

  #manifest(): object {
    const { plan } = this.#vm.machine;
    const library = plan.get('library') ?? '';
    const version = plan.get('version') ?? '';
    const packages = plan.all('package_1');
    const checksum = createHash('sha256')
      .update([library, version, ...packages].join('\n'))
      .digest('hex');
    const built_at = secondsOf(this.#vm.cloud.clock.now());
    return { library, version, built_at, files: 1 + 40 * packages.length, checksum };
  }
}

function secondsOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
