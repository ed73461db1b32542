import { BaseAdapter } from '@bull-board/api/dist/queueAdapters/base.js';
import type { JobCounts, JobStatus, QueueJob, QueueMetrics, Status } from '@bull-board/api/typings/app';
import type { QueueName } from '@gateway/config';
import { isId, methodNotAllowed } from '@gateway/core';
import {
  countFailedJobs,
  countQueueEntries,
  type EntryState,
  isQueuePaused,
  type JobRecord,
  pauseQueue,
  type QueueEntry,
  readEvents,
  readFailedJobs,
  readJob,
  readQueueEntries,
  readQueueEntry,
  readQueueLoads,
  resumeJob,
  resumeQueue,
} from '@gateway/jobs';
import type { AppContext } from '../context.ts';
import { type BoardJob, presentEntry, presentFailedJob } from './present-job.ts';

const STATUSES = ['active', 'waiting', 'delayed', 'failed'] as const;
type Shown = (typeof STATUSES)[number];

/** What a queue of another kind would have. */
const NONE = { completed: 0, paused: 0, prioritized: 0, 'waiting-children': 0 };
const MAX_EVENTS = 1000;

/**
 * A queue as the board shows it: the entries of the queue, and the jobs that failed, which are no longer in the queue. Of each
 * job it shows ids, type, state and progress only.
 */
export class JobQueue extends BaseAdapter {
  readonly #app: AppContext;
  readonly #name: QueueName;

  constructor(app: AppContext, name: QueueName) {
    // Of the two kinds that the board knows, the one without flows of jobs.
    super('bull', { readOnlyMode: !app.config.ops.allowChanges, allowRetries: false });
    this.#app = app;
    this.#name = name;
  }

  override getName(): string {
    return this.#name;
  }

  override getStatuses(): Status[] {
    return ['latest', ...STATUSES];
  }

  override getJobStatuses(): JobStatus[] {
    return [...STATUSES];
  }

  override async getJobCounts(): Promise<JobCounts> {
    const { queues, redis } = this.#app;
    const [depths, failed] = await Promise.all([
      countQueueEntries(queues, this.#name),
      countFailedJobs(redis.store, this.#name),
    ]);
    return { ...NONE, ...depths, failed };
  }

  override async getJobs(statuses: JobStatus[], start = 0, end = 9): Promise<QueueJob[]> {
    const shown = STATUSES.filter((status) => statuses.includes(status));
    return (await Promise.all(shown.map((status) => this.#read(status, start, end)))).flat();
  }

  override async getJob(id: string): Promise<QueueJob | null> {
    const { queues, redis } = this.#app;
    const record = isId(id) ? await readJob(redis.store, id) : null;
    if (record?.status === 'failed') return this.#failed(record);
    const entry = await readQueueEntry(queues, this.#name, id);
    return entry === null ? null : this.#entry(entry, record);
  }

  /** The steps of the job, without the texts. */
  override async getJobLogs(id: string): Promise<string[]> {
    if (!isId(id)) return [];
    const events = await readEvents(this.#app.redis.store, id, 0, MAX_EVENTS);
    return events.map(({ data, seq }) => {
      const { progress, step } = JSON.parse(data) as { progress: number; step: string };
      return `${seq}. ${step}${progress < 0 ? '' : `, ${progress} %`}`;
    });
  }

  override isPaused(): Promise<boolean> {
    return isQueuePaused(this.#app.queues, this.#name);
  }

  override pause(): Promise<void> {
    return pauseQueue(this.#app.queues, this.#name);
  }

  override resume(): Promise<void> {
    return resumeQueue(this.#app.queues, this.#name);
  }

  /** None if no live worker takes jobs of the queue, so that the board warns; else unknown. */
  override async getWorkers(): Promise<[] | null> {
    const { config, redis } = this.#app;
    const loads = await readQueueLoads(redis.store, config.jobs.projectRunningLimit);
    return loads[this.#name].workers === 0 ? [] : null;
  }

  async #read(status: Shown, start: number, end: number): Promise<QueueJob[]> {
    const { queues, redis } = this.#app;
    if (status === 'failed') {
      const records = await readFailedJobs(redis.store, this.#name, start, end);
      return records.map((record) => this.#failed(record));
    }
    const entries = await readQueueEntries(queues, this.#name, status, [start, end]);
    return Promise.all(
      entries.map(async (entry) =>
        this.#entry(entry, isId(entry.id) ? await readJob(redis.store, entry.id) : null),
      ),
    );
  }

  #entry(entry: QueueEntry, record: JobRecord | null): QueueJob {
    const { queues, redis } = this.#app;
    const promote = async () => {
      if (record !== null) await resumeJob(redis.store, queues, record);
      else await queues.promote(this.#name, entry.id);
    };
    return boardJob(presentEntry(entry, record), entry.state, promote);
  }

  #failed(record: JobRecord): QueueJob {
    return boardJob(presentFailedJob(record), 'failed', refuse);
  }

  override async getMetrics(): Promise<QueueMetrics> {
    return { meta: { count: 0, prevTS: 0, prevCount: 0 }, data: [], count: 0 };
  }

  override async getRedisInfo(): Promise<null> {
    return null;
  }

  override async getGlobalConcurrency(): Promise<null> {
    return null;
  }

  override async getJobSchedulers(): Promise<[]> {
    return [];
  }

  override async getJobSchedulersCount(): Promise<number> {
    return 0;
  }

  override clean = refuse;
  override addJob = refuse;
  override empty = refuse;
  override obliterate = refuse;
  override promoteAll = refuse;
  override removeJobScheduler = refuse;
  override updateJobScheduler = refuse;
  override runJobSchedulerNow = refuse;
  override setGlobalConcurrency = refuse;
}

function boardJob(job: BoardJob, state: EntryState | 'failed', promote: () => Promise<void>): QueueJob {
  return {
    opts: {},
    promote,
    remove: refuse,
    retry: refuse,
    toJSON: () => job,
    getState: async () => state,
  };
}

/** The board's own check comes first; this is for a change that it might add. */
async function refuse(): Promise<never> {
  throw methodNotAllowed('Jobs cannot be changed in this way.');
}
