import { runIdOf } from '@gateway/auto-backup';
import { hasEnded, Queues, readJob } from '@gateway/jobs';
import { Redis } from 'ioredis';
import type { GatewayClient } from '../clients/gateway-client.ts';

export interface AutoBackup {
  id: string;
  volume_id: string;
  project_id: string;
  schedule: string;
  retention: number;
  prefix: string;
  full_every: number;
  enabled: boolean;
  created_at: string;
  updated_at: string;
  next_run_at: string;
  last_run_at: string | null;
  last_status: 'ok' | 'failed' | 'skipped' | null;
  last_error: string | null;
}

export const autoBackupPath = (volumeId: string) => `/api/volumes/backups/auto-backup/${volumeId}`;

/** A daily schedule that is due at this number of hours from now, so not during a test. */
export function dueInHours(hours: number): string {
  const due = new Date(Date.now() + hours * 3_600_000);
  return `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
}

export async function setUpAutoBackup(
  gateway: GatewayClient,
  volumeId: string,
  body: object = {},
): Promise<AutoBackup> {
  const answer = await gateway.request<AutoBackup>('POST', autoBackupPath(volumeId), {
    schedule: dueInHours(12),
    ...body,
  });
  if (answer.status !== 201) throw new Error(`The auto backup was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A due time, and the job that runs it. */
interface DueRun {
  /** Milliseconds since the epoch. */
  due: number;
  jobId: string;
  requestId: string;
}

/**
 * Makes auto backups due before their time: promotes the entries that their schedulers
 * have put into the queue.
 */
export class DueTimes {
  readonly #redis: Redis;
  readonly #store: Redis;
  readonly #queues: Queues;

  constructor(redisUrl: string, keyPrefix: string) {
    this.#redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    this.#store = new Redis(redisUrl, { keyPrefix, maxRetriesPerRequest: null });
    for (const redis of [this.#redis, this.#store]) redis.on('error', () => {});
    this.#queues = new Queues(this.#redis, keyPrefix);
  }

  /** The next run of a configuration; undefined when it has no scheduler. */
  async next(configurationId: string): Promise<DueRun | undefined> {
    const queue = await this.#queues.open('maintenance');
    const scheduler = await queue.getJobScheduler(schedulerOf(configurationId));
    if (scheduler?.next === undefined) return undefined;
    const jobId = runIdOf(configurationId, scheduler.next);
    return { due: scheduler.next, jobId, requestId: `req-${jobId}` };
  }

  /** Makes the next due time come now. */
  async comesNow(configurationId: string): Promise<DueRun> {
    const run = await this.next(configurationId);
    if (run === undefined) throw new Error(`Configuration ${configurationId} has no scheduler.`);
    const queue = await this.#queues.open('maintenance');
    const entry = await queue.getJob(`repeat:${schedulerOf(configurationId)}:${run.due}`);
    if (entry === undefined) throw new Error(`Configuration ${configurationId} has no entry for ${run.due}.`);
    await entry.promote();
    return run;
  }

  /** Whether a job has ended, for tests in which no user may read it. */
  async hasEnded(jobId: string): Promise<boolean> {
    const job = await readJob(this.#store, jobId);
    return job !== null && hasEnded(job);
  }

  /** Loses the scheduler and its entry, as a failover of Redis may. */
  async lose(configurationId: string): Promise<void> {
    const queue = await this.#queues.open('maintenance');
    await queue.removeJobScheduler(schedulerOf(configurationId));
  }

  async close(): Promise<void> {
    await this.#queues.close();
    this.#redis.disconnect();
    this.#store.disconnect();
  }
}

function schedulerOf(configurationId: string): string {
  return `auto-backup.${configurationId}`;
}
