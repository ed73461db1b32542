import assert from 'node:assert/strict';
import { type HistoryLimits, ProgressLog, readJob } from '@gateway/jobs';
import type { QueueName } from '@gateway/platform';
import { eventually } from '../eventually.ts';
import { instanceRequest, type TestCaller } from './factories.ts';
import type { TestApi } from './suite.ts';

/** Claims a job like a worker. The returned log writes the job's progress. */
export async function claimJob(
  { context }: TestApi,
  jobId: string,
  options: { history?: HistoryLimits } = {},
): Promise<ProgressLog> {
  const record = await readJob(context.redis.store, jobId);
  assert.ok(record, 'the job has a record');
  const log = await ProgressLog.claim(record, { redis: context.redis.store, keepSeconds: 600, ...options });
  assert.ok(log instanceof ProgressLog, `the job is ${log}`);
  return log;
}

/** The id of the only waiting job in a queue; waits until there is a job. */
export function queuedJob({ context, keyPrefix }: TestApi, queue: QueueName): Promise<string> {
  return eventually(async () => {
    const [jobId] = await context.redis.queue.zrange(`{${keyPrefix}${queue}}:${queue}:prioritized`, 0, '0');
    return jobId;
  });
}

/** The data of a job in the queue of creations and builds. */
export async function queuedData(
  { context, keyPrefix }: TestApi,
  jobId: string,
): Promise<{ payload: Record<string, unknown>; [field: string]: unknown }> {
  const keys = await context.redis.queue.keys(`*${keyPrefix}*${jobId}`);
  const key = keys.find((name) => name.includes('provisioning')) ?? '';
  return JSON.parse((await context.redis.queue.hget(key, 'data')) ?? '{}');
}

/** A progress event of an instance job. */
export function instanceMessage(step: string, progress: number, text = 'Going on.') {
  return { step, progress, message: text, instance_id: null, error: null };
}

/** A claimed job without a worker: the test writes its progress. */
interface RunningJob {
  id: string;
  path: string;
  log: ProgressLog;
}

/** Requests a creation and claims its job. */
export async function runJob(api: TestApi, caller: TestCaller): Promise<RunningJob> {
  const stream = await api.stream('POST', '/api/instances/async', { as: caller, body: instanceRequest() });
  const id = String(stream.headers.get('x-job-id'));
  stream.close();
  return { id, path: `/api/jobs/${id}`, log: await claimJob(api, id) };
}

/** The last event of a successful creation. */
export const completed = { ...instanceMessage('COMPLETED', 100), instance_id: 'i-1' };
