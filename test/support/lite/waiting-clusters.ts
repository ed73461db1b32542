import { randomUUID } from 'node:crypto';
import type { CloudClient } from '../clients/cloud-client.ts';
import type { GatewayClient } from '../clients/gateway-client.ts';
import { openStream } from '../clients/sse-client.ts';
import type { ClusterMessage } from './clusters.ts';

/** A cluster whose creation waits for its control node. */
export interface WaitingCluster {
  id: string;
  jobId: string;
}

const HIGH_LIMIT = 1_000;
/** Creations at the same time. */
const ABREAST = 10;

/** Raises all quotas that clusters of a project use. */
export async function raiseQuotas(admin: CloudClient, projectId: string): Promise<void> {
  await admin.call('compute', 'PUT', `/os-quota-sets/${projectId}`, {
    quota_set: { instances: HIGH_LIMIT, cores: HIGH_LIMIT, ram: HIGH_LIMIT * HIGH_LIMIT },
  });
  await admin.call('volumev3', 'PUT', `/os-quota-sets/${projectId}`, {
    quota_set: { volumes: HIGH_LIMIT, gigabytes: HIGH_LIMIT * HIGH_LIMIT },
  });
  await admin.call('network', 'PUT', `/v2.0/quotas/${projectId}`, {
    quota: {
      port: HIGH_LIMIT,
      floatingip: HIGH_LIMIT,
      security_group: HIGH_LIMIT,
      security_group_rule: 10 * HIGH_LIMIT,
    },
  });
}

/** Creates clusters whose control nodes stay silent, and waits until all creations wait for them. */
export async function createWaiting(gateway: GatewayClient, count: number): Promise<WaitingCluster[]> {
  const waiting: WaitingCluster[] = [];
  let begun = 0;
  const createOne = async () => {
    while (begun < count) {
      begun += 1;
      waiting.push(await createUntilWaiting(gateway));
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, createOne));
  return waiting;
}

async function createUntilWaiting(gateway: GatewayClient): Promise<WaitingCluster> {
  const stream = await openStream(`${gateway.url}/api/lite/clusters/async`, {
    method: 'POST',
    headers: gateway.headers(),
    body: { name: `waiting-${randomUUID().slice(0, 8)}` },
  });
  for (;;) {
    const message = await stream.nextJson<ClusterMessage>();
    if (message === null || message.step === 'failed')
      throw new Error(`A creation ended before its control node was installed: ${message?.error}`);
    if (message.step !== 'waiting_callback') continue;
    stream.close();
    return { id: message.cluster_id, jobId: stream.headers.get('x-job-id') ?? '' };
  }
}
