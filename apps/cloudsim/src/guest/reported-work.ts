import { hasShareAccess, shareMounts } from './mounts.ts';
import { sendReport } from './send-report.ts';
import type { Vm } from './vm.ts';

const SHARE_RETRY_MS = 5_000;
const SHARE_TIMEOUT_MS = 300_000;
/** For plans without a time limit. */
const DEFAULT_WORK_SECONDS = 7_200;
const MAX_LOG_TAIL = 4_000;
const INTERIM_TIMEOUT_MS = 5_000;
const FINAL_TIMEOUT_MS = 30_000;

/** The result of work. A success has further fields. */
export type WorkResult = { success: true } | { success: false; error: string };

/** Work that a machine does once, reports to the URL in its plan, and then powers off. */
export class ReportedWork {
  readonly vm: Vm;
  readonly #log: string[] = [];
  readonly #limitMs: number;
  #stage = '';
  #interimReport: Promise<unknown> = Promise.resolve();
  /** False once the gateway has rejected a report. */
  #acceptsReports = true;

  constructor(vm: Vm) {
    this.vm = vm;
    const seconds = Number(vm.machine.plan.get('time_limit'));
    this.#limitMs = (seconds > 0 ? seconds : DEFAULT_WORK_SECONDS) * 1000;
  }

  /** Does the work, which returns null when the machine powers off before the end. */
  async run(work: () => Promise<WorkResult | null>): Promise<void> {
    const { vm } = this;
    if (vm.machine.isDone || vm.cloud.settings.guest.outcome === 'silent') return;
    const result = await work();
    if (result !== null) {
      await this.#report(result);
      vm.machine.isDone = true;
    }
    vm.powerOff();
  }

  log(line: string): void {
    this.#log.push(line);
  }

  startStage(stage: string): void {
    this.#stage = stage;
    this.#log.push(`${secondsOf(this.vm.cloud.clock.now())} stage ${stage}`);
    this.vm.machine.console.push(`gateway ${this.vm.machine.plan.get('task')}: stage ${stage}`);
  }

  /** False if the shares in the data cannot be mounted before the timeout. */
  async hasShareAccess(): Promise<boolean> {
    const { cloud, server, machine, elapsedMs } = this.vm;
    const untilMs = Math.min(elapsedMs + SHARE_TIMEOUT_MS, this.#limitMs);
    const mounts = shareMounts(machine.data);
    for (;;) {
      if (mounts.every((mount) => hasShareAccess(cloud, server, mount))) return true;
      if (this.vm.elapsedMs >= untilMs) return false;
      await this.vm.wait(SHARE_RETRY_MS);
    }
  }

  /** Works for the configured time, and sends an interim report. Null within the time limit. */
  async spendTime(): Promise<WorkResult | null> {
    const { workMs } = this.vm.cloud.settings.guest;
    this.#interimReport = this.#post({}, INTERIM_TIMEOUT_MS);
    const leftMs = this.#limitMs - this.vm.elapsedMs;
    await this.vm.wait(Math.max(0, Math.min(workMs, leftMs)));
    return workMs > leftMs
      ? { success: false, error: `not done after ${this.#limitMs / 1000} seconds` }
      : null;
  }

  /** Sends the final report until the gateway accepts or rejects it, or the time limit is reached. */
  async #report(result: WorkResult): Promise<void> {
    const { retryMs } = this.vm.cloud.settings.guest;
    if (!result.success) this.#log.push(`FAILED at stage ${this.#stage}: ${result.error}`);
    await this.#interimReport;
    while (this.#acceptsReports) {
      const status = await this.#post(result, FINAL_TIMEOUT_MS);
      if (status === 200 || this.vm.elapsedMs + retryMs >= this.#limitMs) return;
      if (this.#acceptsReports) await this.vm.wait(retryMs);
    }
  }

  async #post(what: object, timeoutMs: number): Promise<number | null> {
    const logTail = this.#log.join('\n').slice(-MAX_LOG_TAIL);
    const body = { stage: this.#stage, ...what, log_tail: logTail };
    const status = await sendReport(this.vm, body, timeoutMs);
    if (status === 403) this.#acceptsReports = false;
    return status;
  }
}

export function secondsOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
