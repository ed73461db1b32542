import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newRequestId } from '@gateway/core';
import type { RecordedCall } from '../support/clients/cloudsim-control.ts';
import type { GatewayClient } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { type EventStream, openStream } from '../support/clients/sse-client.ts';
import { describeUnfinishedJob, type Rig, readJob } from './rig.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** One of many creations, as observed by its client. */
export interface Creation {
  jobId: string;
  requestId: string;
  watcher: JobWatcher;
  status: 'completed' | 'failed' | 'cancelled' | 'lost';
  /** The error with which the client gave up. */
  problem?: string;
  leftovers: number;
  hasFloatingIp: boolean;
}

const RECONNECT_DELAY_MS = 100;
const START_MS = 30_000;
const END_MS = 180_000;

/** The session of a user, which another one replaces after a log-out. */
export interface Session {
  client: GatewayClient;
}

/** Creates an instance and follows its job to the end, through any running api. An error is in the result. */
export async function createUnderLoad(rig: Rig, session: Session, name: string): Promise<Creation> {
  const requestId = newRequestId();
  const watcher = new JobWatcher();
  return follow(rig, session, { name, requestId, watcher }).catch((error) => ({
    jobId: '',
    requestId,
    watcher,
    status: 'lost',
    problem: String(error),
    leftovers: 0,
    hasFloatingIp: hasFloatingIp(watcher),
  }));
}

async function follow(
  rig: Rig,
  session: Session,
  { name, requestId, watcher }: { name: string; requestId: string; watcher: JobWatcher },
): Promise<Creation> {
  const body = { name, image_id: rig.imageId, flavor_id: rig.flavorId, boot_volume_size_gb: 1 };
  const reach = () => session.client.at(rig.gateway().url);
  // Repeated when an api dies or the session ends; the idempotency key prevents a second instance.
  const key = randomUUID();
  const stream = await retryUntilOpen(() => {
    const client = reach();
    const headers = { ...client.headers(requestId), 'idempotency-key': key };
    return openStream(`${client.url}/api/instances/async`, { method: 'POST', headers, body });
  });
  const jobId = stream.headers.get('x-job-id') ?? '';
  const resume = (lastEventId?: string) => reach().followJob(jobId, lastEventId);
  const hasEnded = await watcher.followToEnd(stream, resume, END_MS);
  const creation = { jobId, requestId, watcher, hasFloatingIp: hasFloatingIp(watcher) };
  if (!hasEnded) return { ...creation, status: 'lost', leftovers: 0 };
  const { status, leftovers } = await readJob(reach, jobId);
  return { ...creation, status, leftovers: leftovers.length };
}

function hasFloatingIp({ messages }: JobWatcher): boolean {
  return messages.some(({ step }) => step === 'FLOATING_IP_CREATING');
}

async function retryUntilOpen(open: () => Promise<EventStream>): Promise<EventStream> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(RECONNECT_DELAY_MS);
  }
}

/** One verdict per creation. The caller checks the resources left in the cloud. */
export async function judgeCreations(rig: Rig, creations: readonly Creation[]): Promise<Verdict[]> {
  const calls = Map.groupBy(await rig.control.calls(), ({ request_id }) => request_id ?? '');
  return creations.map((creation) => {
    const { jobId, status, problem, leftovers, watcher, requestId } = creation;
    const end = watcher.last?.error ?? watcher.last?.step ?? 'nothing';
    const isUnfinished = status === 'lost' && problem === undefined;
    const lost = isUnfinished ? describeUnfinishedJob(rig, jobId, end) : (problem ?? `${status}: ${end}`);
    const twice = watcher.repeatedSteps();
    return {
      ...verdictOf(status),
      lost: status === 'completed' ? [] : [lost],
      leaked: leftovers === 0 ? [] : [`${leftovers} left over`],
      duplicated: repeatedCreates(calls.get(requestId) ?? []),
      streamGaps: [...watcher.problems, ...(twice.length === 0 ? [] : [`repeated: ${twice.join(', ')}`])],
    };
  });
}

/** Create operations that took effect more than once: a plain creation needs each operation once. */
function repeatedCreates(calls: readonly RecordedCall[]): string[] {
  const made = calls.filter(({ operation, performed }) => performed && operation?.endsWith('.create'));
  const counts = Map.groupBy(made, ({ operation }) => operation ?? '');
  counts.delete('tokens.create');
  // A repetition after the death of an api creates another delegation. The comparison of the
  // inventories shows what is left.
  counts.delete('trusts.create');
  return [...counts]
    .filter(([, found]) => found.length > 1)
    .map(([operation, found]) => `${operation} ${found.length} times`);
}

/** The expected change of the resource counts after the creations. */
export function createdBy(creations: readonly Creation[]): Record<string, number> {
  const completed = creations.filter(({ status }) => status === 'completed');
  const count = completed.length;
  return {
    servers: count,
    volumes: count,
    ports: count,
    attachments: count,
    floating_ips: completed.filter((creation) => creation.hasFloatingIp).length,
  };
}
