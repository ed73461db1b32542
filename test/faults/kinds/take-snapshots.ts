import { takeSnapshotsSteps } from '../../../apps/worker/src/sagas/take-snapshots/index.ts';
import type { Kind } from '../kind.ts';
import type { Rig } from '../rig.ts';

const HOUR_MS = 3_600_000;
const HOURS = 20 * 24;
const TYPES = ['instances', 'volumes', 'file_storage', 'networks'];

/**
 * The snapshots of one hour. They only read the cloud. Whatever the fault, each type
 * has one snapshot or none.
 */
export const takeSnapshots: Kind = {
  name: 'take snapshots',
  jobType: 'timeseries.snapshot',
  steps: takeSnapshotsSteps.map((step) => step.name),
  entries: {
    snapshot: [
      { label: 'instances', service: 'compute', operation: 'servers.list_detail', isRead: true },
      { label: 'volumes', service: 'block-storage', operation: 'volumes.list_detail', isRead: true },
    ],
  },
  completed: {},
  runsSlowFaults: true,
  isCancellable: false,
  async prepare(rig) {
    const now = Date.now();
    const taken = new Set(
      await Promise.all(TYPES.map((type) => hoursOf(rig, type))).then((all) => all.flat()),
    );
    const hours = Array.from({ length: HOURS }, (_, index) => now - (now % HOUR_MS) - (index + 1) * HOUR_MS);
    return String(hours.find((hour) => !taken.has(hour)));
  },
  async start(rig, subject, requestId) {
    const jobId = await rig.snapshots.start(Number(subject), requestId, rig.gateway().projectId);
    await rig.findJobId(requestId);
    return { jobId, stream: null };
  },
  async inspect(rig, subject, isCompleted) {
    const counts = await Promise.all(
      TYPES.map(async (type) => (await hoursOf(rig, type)).filter((hour) => hour === Number(subject)).length),
    );
    const isRight = counts.every((count) => (isCompleted ? count === 1 : count <= 1));
    return isRight ? [] : [`the hour has ${counts} snapshots of ${TYPES}`];
  },
};

async function hoursOf(rig: Rig, type: string): Promise<number[]> {
  const rows = await rig.snapshots.read(type);
  return rows.map(({ timestamp }) => Date.parse(timestamp));
}
