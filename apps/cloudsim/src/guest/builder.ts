import { createHash } from 'node:crypto';
import { hasShareAccess, shareMounts } from './mounts.ts';
import { pipInstall } from './pip.ts';
import { FIRST_BOOT } from './plan.ts';
import type { Role } from './role.ts';
import { sendReport } from './send-report.ts';
import type { Vm } from './vm.ts';

const SHARE_RETRY_MS = 5_000;
const SHARE_TIMEOUT_MS = 300_000;
/** For plans without a time limit. */
const DEFAULT_BUILD_SECONDS = 7_200;
const MAX_LOG_TAIL = 4_000;
const INTERIM_TIMEOUT_MS = 5_000;
const FINAL_TIMEOUT_MS = 30_000;

/** Installs a library into a share, reports to the URL in its plan, and powers off. */
export const builder: Role = {
  task: 'build',
  async run(vm) {
    if (vm.machine.isDone) return;
    const build = new Build(vm);
    const { outcome } = vm.cloud.settings.guest;
    if (outcome === 'silent') return;
    const result = await build.install();
    if (result !== null) {
      await build.report(result);
      vm.machine.isDone = true;
    }
    vm.powerOff();
  },
};

type BuildResult = { success: true; manifest: object } | { success: false; error: string };

class Build {
  readonly #vm: Vm;
  readonly #log: string[] = [];
  readonly #limitMs: number;
  #stage = '';
  #interimReport: Promise<unknown> = Promise.resolve();
  /** False once the gateway has rejected a report. */
  #acceptsReports = true;

  constructor(vm: Vm) {
    this.#vm = vm;
    const seconds = Number(vm.machine.plan.get('time_limit'));
    this.#limitMs = (seconds > 0 ? seconds : DEFAULT_BUILD_SECONDS) * 1000;
  }

  /** Null when the machine powers off before the end. */
  async install(): Promise<BuildResult | null> {
    const { workMs, outcome } = this.#vm.cloud.settings.guest;
    const { plan } = this.#vm.machine;
    this.#startStage('share');
    if (!(await this.#hasShareAccess())) return { success: false, error: 'the share cannot be mounted' };
    this.#startStage('packages');
    this.#sendInterimReport();
    const leftMs = this.#limitMs - this.#vm.elapsedMs;
    await this.#vm.wait(Math.max(0, Math.min(workMs, leftMs)));
    if (outcome === 'powers-off') return null;
    if (workMs > leftMs) {
      return { success: false, error: `not done after ${this.#limitMs / 1000} seconds` };
    }
    if (outcome === 'fails') {
      return {
        success: false,
        error: `no matching distribution found for ${plan.all('package_1')[0] ?? 'pip'}`,
      };
    }
    let packages: string[];
    try {
      packages = this.#installPackages();
    } catch (error) {
      return { success: false, error: error instanceof Error ? error.message : String(error) };
    }
    for (const name of packages) this.#log.push(`Successfully installed ${name}`);
    this.#startStage('manifest');
    const manifest = this.#manifest(packages);
    this.#startStage('done');
    return { success: true, manifest };
  }

  /** Sends the final report until the gateway accepts or rejects it, or the time limit is reached. */
  async report(result: BuildResult): Promise<void> {
    const { retryMs } = this.#vm.cloud.settings.guest;
    if (!result.success) this.#log.push(`FAILED at stage ${this.#stage}: ${result.error}`);
    await this.#interimReport;
    while (this.#acceptsReports) {
      const status = await this.#post(result, FINAL_TIMEOUT_MS);
      if (status === 200 || this.#vm.elapsedMs + retryMs >= this.#limitMs) return;
      if (this.#acceptsReports) await this.#vm.wait(retryMs);
    }
  }

  #startStage(stage: string): void {
    this.#stage = stage;
    const at = secondsOf(this.#vm.cloud.clock.now());
    this.#log.push(`${at} stage ${stage}`);
    this.#vm.machine.console.push(`gateway build: stage ${stage}`);
  }

  async #hasShareAccess(): Promise<boolean> {
    const { cloud, server, machine, elapsedMs } = this.#vm;
    const untilMs = Math.min(elapsedMs + SHARE_TIMEOUT_MS, this.#limitMs);
    const mounts = shareMounts(machine.data);
    for (;;) {
      if (mounts.every((mount) => hasShareAccess(cloud, server, mount))) return true;
      if (this.#vm.elapsedMs >= untilMs) return false;
      await this.#vm.wait(SHARE_RETRY_MS);
    }
  }

  /** Sends an interim report once, without waiting for the response. */
  #sendInterimReport(): void {
    this.#interimReport = this.#post({}, INTERIM_TIMEOUT_MS);
  }

  async #post(what: object, timeoutMs: number): Promise<number | null> {
    const body = { stage: this.#stage, ...what, log_tail: this.#logTail() };
    const status = await sendReport(this.#vm, body, timeoutMs);
    if (status === 403) this.#acceptsReports = false;
    return status;
  }

  #logTail(): string {
    return this.#log.join('\n').slice(-MAX_LOG_TAIL);
  }

  #installPackages(): string[] {
    const { cloud, machine } = this.#vm;
    return pipInstall({
      requirements: machine.plan.all('package_1'),
      constraints: (machine.data.files.get(`${FIRST_BOOT}/constraints`) ?? '')
        .split('\n')
        .filter((line) => line !== ''),
      index: cloud.settings.guest.packageVersions,
    });
  }

  #manifest(packages: string[]): object {
    const { plan } = this.#vm.machine;
    const library = plan.get('library') ?? '';
    const version = plan.get('version') ?? '';
    const checksum = createHash('sha256')
      .update([library, version, ...packages].join('\n'))
      .digest('hex');
    const built_at = secondsOf(this.#vm.cloud.clock.now());
    return { library, version, built_at, files: 1 + 40 * packages.length, checksum, packages };
  }
}

function secondsOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
