import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newRequestId } from '@gateway/core';
import type { RecordedCall } from '../support/cloudsim-control.ts';
import type { GatewayClient } from '../support/gateway-client.ts';
import { JobWatcher } from '../support/job-watcher.ts';
import { type EventStream, openStream } from '../support/sse-client.ts';
import { neverEnded, type Rig, readJob } from './rig.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** A creation among many, as its client has seen it. */
export interface Creation {
  jobId: string;
  requestId: string;
  watcher: JobWatcher;
  status: 'completed' | 'failed' | 'cancelled' | 'lost';
  leftovers: number;
  hasFloatingIp: boolean;
}

const COME_BACK_MS = 100;
const START_MS = 30_000;
const END_MS = 180_000;

/** Creates an instance and follows it to its end, over whichever api is there. */
export async function createUnderLoad(rig: Rig, caller: GatewayClient, name: string): Promise<Creation> {
  const requestId = newRequestId();
  const watcher = new JobWatcher();
  const body = { name, image_id: rig.imageId, flavor_id: rig.flavorId, boot_volume_size_gb: 1 };
  const reach = () => caller.at(rig.gateway().url);
  // Sent again when an api dies over it: the key keeps a second one from being made.
  const headers = { ...caller.headers(requestId), 'idempotency-key': randomUUID() };
  const stream = await insist(() =>
    openStream(`${reach().url}/api/instances/async`, { method: 'POST', headers, body }),
  );
  const jobId = stream.headers.get('x-job-id') ?? '';
  const follow = (lastEventId?: string) => reach().followJob(jobId, lastEventId);
  const hasEnded = await watcher.takeAll(stream, follow, END_MS);
  const creation = { jobId, requestId, watcher, hasFloatingIp: hasFloatingIp(watcher) };
  if (!hasEnded) return { ...creation, status: 'lost', leftovers: 0 };
  const { status, leftovers } = await readJob(reach, jobId);
  return { ...creation, status, leftovers: leftovers.length };
}

function hasFloatingIp({ messages }: JobWatcher): boolean {
  return messages.some(({ step }) => step === 'FLOATING_IP_CREATING');
}

async function insist(open: () => Promise<EventStream>): Promise<EventStream> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(COME_BACK_MS);
  }
}

/** One verdict for each; what is left in the cloud is for the caller to see. */
export async function judgeCreations(rig: Rig, creations: readonly Creation[]): Promise<Verdict[]> {
  const calls = Map.groupBy(await rig.control.calls(), ({ request_id }) => request_id ?? '');
  return creations.map((creation) => {
    const { jobId, status, leftovers, watcher, requestId } = creation;
    const end = watcher.last?.error ?? watcher.last?.step ?? 'nothing';
    const twice = watcher.repeatedSteps();
    return {
      ...verdictOf(status),
      lost: status === 'lost' ? [neverEnded(rig, jobId, end)] : [],
      leaked: leftovers === 0 ? [] : [`${leftovers} left over`],
      duplicated: repeatedCreates(calls.get(requestId) ?? []),
      streamGaps: [...watcher.faults, ...(twice.length === 0 ? [] : [`told twice: ${twice.join(', ')}`])],
    };
  });
}

/** A plain creation makes one of each. */
function repeatedCreates(calls: readonly RecordedCall[]): string[] {
  const made = calls.filter(({ operation, performed }) => performed && operation?.endsWith('.create'));
  const counts = Map.groupBy(made, ({ operation }) => operation ?? '');
  counts.delete('tokens.create');
  return [...counts]
    .filter(([, found]) => found.length > 1)
    .map(([operation, found]) => `${operation} ${found.length} times`);
}

/** What there has to be more of in the cloud after these. */
export function madeBy(creations: readonly Creation[]): Record<string, number> {
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
