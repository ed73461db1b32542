import { createHash, randomUUID } from 'node:crypto';
import { hasShareAccess, shareMounts } from './mounts.ts';
import type { Role } from './role.ts';
import { reportTokenOf, sendReport } from './send-report.ts';
import type { Vm } from './vm.ts';

const POLL_MS = 1_000;
const DISK_TIMEOUT_MS = 600_000;
const INTERIM_TIMEOUT_MS = 10_000;
const FINAL_TIMEOUT_MS = 30_000;

/**
 * An instance with libraries: its shares are the lower layers, its second disk is the upper layer. Reports
 * each boot to the URL in its plan, if there is one.
 */
export const layers: Role = {
  task: 'layers',
  async run(vm) {
    vm.machine.isDone = false;
    const reports = new Reports(vm);
    await reports.send({ result: 'running', stage: 'start', reason: '' });
    if (vm.cloud.settings.guest.workspaceOutcome === 'silent') return;
    const untilMs = vm.elapsedMs + DISK_TIMEOUT_MS;
    while (!isDone(vm)) {
      if (vm.elapsedMs >= untilMs) return reports.end('upper_disk', 'no disk has the serial of the volume');
      await vm.wait(POLL_MS);
    }
    if (fails(vm)) await reports.end('layers', 'mount.nfs: access denied by server');
    else await reports.end('done', '');
  },
  // A reader need not wait for the next poll.
  onConsoleRead: isDone,
};

/** Whether the work has ended. Writes its result to the console. */
function isDone(vm: Vm): boolean {
  const { cloud, machine, server } = vm;
  if (machine.isDone || cloud.settings.guest.workspaceOutcome === 'silent') return machine.isDone;
  const hasShares = shareMounts(machine.data).every((mount) => hasShareAccess(cloud, server, mount));
  if (!fails(vm) && !(hasShares && hasUpperDisk(vm))) return false;
  machine.isDone = true;
  machine.console.push(
    fails(vm)
      ? 'gateway first boot: FAILED at stage layers: mount.nfs: access denied by server, see /var/log/gateway-first-boot.log'
      : 'gateway first boot: ready, /workspace is mounted',
  );
  return true;
}

/** Whether the volume of the upper layer is attached. */
export function hasUpperDisk({ machine, server }: Vm): boolean {
  const upperVolumeId = machine.plan.get('upper_volume_id');
  return server.volumes.some(
    ({ volumeId, attachmentId }) => volumeId === upperVolumeId && attachmentId !== null,
  );
}

function fails({ cloud }: Vm): boolean {
  return cloud.settings.guest.workspaceOutcome === 'fails';
}

interface Report {
  result: 'running' | 'ready' | 'failed';
  stage: string;
  reason: string;
}

/** The reports of one boot. */
class Reports {
  readonly #vm: Vm;
  readonly #boot = randomUUID();
  #sequence = 0;

  constructor(vm: Vm) {
    this.#vm = vm;
  }

  /** Null without a response. */
  send(report: Report, timeoutMs = INTERIM_TIMEOUT_MS): Promise<number | null> {
    if (this.#vm.machine.plan.get('report_url') === undefined) return Promise.resolve(null);
    this.#sequence += 1;
    const body = { boot: this.#boot, sequence: this.#sequence, ...report };
    return sendReport(this.#vm, body, timeoutMs);
  }

  /** Sends the final report until the gateway accepts or refuses it. An empty reason is a success. */
  async end(stage: string, reason: string): Promise<void> {
    const { machine, cloud } = this.#vm;
    if (machine.plan.get('report_url') === undefined) return;
    const report: Report = { result: reason === '' ? 'ready' : 'failed', stage, reason };
    for (;;) {
      const status = await this.send(report, FINAL_TIMEOUT_MS);
      if (status === 200) machine.reportToken = nextToken(reportTokenOf(this.#vm));
      if (status !== null && status < 500 && status !== 429) return;
      // The same report, so that the gateway recognizes it.
      this.#sequence -= 1;
      await this.#vm.wait(cloud.settings.guest.retryMs);
    }
  }
}

/** The token after an accepted final report, as the scripts derive it. */
function nextToken(token: string): string {
  const at = token.lastIndexOf('.');
  const secret = token.slice(at + 1);
  const next = createHash('sha256').update(`${secret} gateway first boot: next secret`).digest('hex');
  return `${token.slice(0, at)}.${next}`;
}
