import { conflict, GatewayError } from '@gateway/core';
import {
  findAgent,
  KubernetesError,
  type LiteCluster,
  type LiteClusterAgent,
  type NodeFacts,
} from '@gateway/lite';
import { nullIfNotFound } from '@gateway/openstack';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { planAgents } from '../../lite-clusters/plan-agents.ts';
import {
  announce,
  defineRepairStep,
  NODE_NOT_DEAD,
  type RepairLiteClusterState,
  type RepairLiteClusterStepContext,
} from '../saga.ts';

type Plan = Pick<RepairLiteClusterState, 'agentPlan' | 'isReady' | 'replaced' | 'securityGroupId'>;

/** The states of a server that does not run, and does not start again by itself. */
const DEAD = ['SHUTOFF', 'ERROR', 'DELETED', 'SOFT_DELETED'];

/** Refuses to replace an agent that may be alive, and decides what the new one is made of. */
export const planRepair = defineRepairStep<Plan>({
  name: 'plan',
  beginUpdate: announce('checking', 'The node is being checked.'),
  async run(context) {
    const { force, node } = context.input;
    const cluster = await requireLiteCluster(context);
    if (cluster.status !== 'ACTIVE') throw conflict('wrong_state', 'The cluster is not ACTIVE.');
    const replaced = findAgent(cluster, node);
    if (replaced === undefined)
      throw conflict('changed_meanwhile', `The cluster has no agent ${node} any more.`);
    const state = await stateOf(context, cluster, replaced);
    if (!force) requireDead(node, state);
    const agentPlan = await planAgents(context, cluster, 1);
    const isReady = state === 'ready';
    return { agentPlan, isReady, replaced, securityGroupId: cluster.securityGroupId ?? '' };
  },
});

type State = 'dead' | 'ready' | 'unknown';

async function stateOf(
  context: RepairLiteClusterStepContext,
  cluster: LiteCluster,
  { vmId }: LiteClusterAgent,
): Promise<State> {
  const server = await nullIfNotFound(context.owner().compute.servers.get(vmId));
  if (server === null || DEAD.includes(server.status)) return 'dead';
  const node = await readNode(context, cluster);
  if (node === 'unknown') return 'unknown';
  return node?.ready === true ? 'ready' : 'dead';
}

/** Null if the node has no object: it is no part of the cluster. */
async function readNode(
  { input, kubernetes, logger }: RepairLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<NodeFacts | null | 'unknown'> {
  const api = await kubernetes(cluster);
  if (api === null) return 'unknown';
  try {
    return await api.getNode(input.node);
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    logger.info('The state of a node cannot be read', { node: input.node, reason: error.reason });
    return 'unknown';
  } finally {
    api.close();
  }
}

/** @throws 409 `node_not_dead` */
function requireDead(node: string, state: State): void {
  if (state === 'dead') return;
  const why =
    state === 'ready'
      ? `The node ${node} is ready.`
      : `The virtual machine of the node ${node} is running, and the API server of the cluster does not answer.`;
  throw new GatewayError(409, NODE_NOT_DEAD, `${why} To replace it all the same, send "force": true.`);
}
