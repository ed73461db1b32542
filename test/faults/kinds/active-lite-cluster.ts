import { randomUUID } from 'node:crypto';
import { createCluster, type LiteCluster, readCluster } from '../../support/lite/clusters.ts';
import type { Rig, StartedJob } from '../rig.ts';

/** Creates a cluster with this number of agents, and returns its id. */
export async function activeCluster(rig: Rig, agents: number): Promise<string> {
  const name = `Fault_${randomUUID().slice(0, 8)}`;
  const last = (await createCluster(rig.gateway(), { name, agent_count: agents })).at(-1);
  if (last?.step !== 'completed') throw new Error(`There is no cluster: ${last?.error}`);
  await rig.control.clearCalls();
  return last.cluster_id;
}

/** Requests a scaling, whose response a fault can prevent. */
export async function startScaling(
  rig: Rig,
  clusterId: string,
  { agentCount, requestId }: { agentCount: number; requestId: string },
): Promise<StartedJob> {
  const body = { agent_count: agentCount };
  return rig.startJob(requestId, 'PATCH', `/api/lite/clusters/${clusterId}/scale`, body);
}

/**
 * What is wrong with the record of a cluster whose agents were to change.
 *
 * @param agentCounts how many agents it may have
 */
export async function agentFlaws(
  rig: Rig,
  clusterId: string,
  { agentCounts, isCompleted }: { agentCounts: readonly number[]; isCompleted: boolean },
): Promise<string[]> {
  const cluster = await readCluster(rig.gateway(), clusterId);
  const servers = (await rig.control.inventory()).get('servers');
  const isTrue =
    cluster.status === 'ACTIVE' &&
    agentCounts.includes(cluster.agent_count) &&
    cluster.agent_vm_ids.length === cluster.agent_count &&
    cluster.agent_vm_ids.every((id) => servers?.has(id)) &&
    (cluster.status_reason === null) === isCompleted;
  return isTrue ? [] : [`the record tells ${describe(cluster)}`];
}

function describe(cluster: LiteCluster): string {
  return JSON.stringify(cluster);
}
