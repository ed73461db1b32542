/** The jobs of a queue, for an estimate of when those that wait will begin. Times are in milliseconds. */
export interface QueueState {
  /** Slots of all workers. */
  slots: number;
  /** Maximum number of running jobs of one project; 0 for no limit. */
  runningLimit: number;
  /** Jobs that hold a slot, and for how long; null if that is not known. */
  running: readonly { projectId: string; leftMs: number | null }[];
  /** Jobs that have not begun, oldest first. */
  waiting: readonly WaitingJob[];
  /** When a job of a project last began. */
  lastServed: ReadonlyMap<string, number>;
}

interface WaitingJob {
  id: string;
  projectId: string;
  /** For how long it usually holds a slot; null if that is not known. */
  heldMs: number | null;
}

interface Running {
  projectId: string;
  endsAt: number;
}

/**
 * When each waiting job begins if nothing else is queued, in the order of fair queueing (`fairQueueing`).
 * Jobs whose beginning depends on one of unknown length are absent.
 *
 * @param now the time at which the state was read
 */
export function simulateQueue(state: QueueState, now: number): ReadonlyMap<string, number> {
  const begins = new Map<string, number>();
  const lastServed = new Map(state.lastServed);
  const waiting = Map.groupBy(state.waiting, ({ projectId }) => projectId);
  let running: Running[] = state.running.map(({ projectId, leftMs }) => ({
    projectId,
    endsAt: now + (leftMs ?? Number.POSITIVE_INFINITY),
  }));
  for (let time = now; waiting.size > 0; ) {
    const projectId = nextProject(state, { lastServed, running, waiting });
    if (projectId === null) {
      time = Math.min(...running.map(({ endsAt }) => endsAt));
      if (!Number.isFinite(time)) break;
      running = running.filter(({ endsAt }) => endsAt > time);
      continue;
    }
    const [next, ...others] = waiting.get(projectId) ?? [];
    if (others.length === 0) waiting.delete(projectId);
    else waiting.set(projectId, others);
    if (next === undefined) continue;
    begins.set(next.id, time);
    lastServed.set(projectId, time);
    running.push({ projectId, endsAt: time + (next.heldMs ?? Number.POSITIVE_INFINITY) });
  }
  return begins;
}

interface Moment {
  lastServed: ReadonlyMap<string, number>;
  running: readonly Running[];
  /** By project, oldest first. */
  waiting: ReadonlyMap<string, readonly WaitingJob[]>;
}

/** The allowed project with the fewest running jobs, then the one served longest ago; null for none. */
function nextProject(
  { runningLimit, slots }: Pick<QueueState, 'runningLimit' | 'slots'>,
  { lastServed, running, waiting }: Moment,
): string | null {
  if (running.length >= slots) return null;
  const isLastSlot = running.length + 1 >= slots;
  let first: { projectId: string; count: number; servedAt: number } | null = null;
  for (const projectId of waiting.keys()) {
    const count = running.filter((job) => job.projectId === projectId).length;
    if ((runningLimit > 0 && count >= runningLimit) || (isLastSlot && count > 0)) continue;
    const servedAt = lastServed.get(projectId) ?? 0;
    const isEarlier =
      first === null || count < first.count || (count === first.count && servedAt < first.servedAt);
    if (isEarlier) first = { projectId, count, servedAt };
  }
  return first?.projectId ?? null;
}
