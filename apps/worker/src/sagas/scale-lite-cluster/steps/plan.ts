import { conflict } from '@gateway/core';
import { agentsToRemove, type LiteCluster } from '@gateway/lite';
import type { AgentPlan } from '../../lite-clusters/agent-steps.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { planAgents } from '../../lite-clusters/plan-agents.ts';
import { announce, defineScaleStep, type ScaleLiteClusterState } from '../saga.ts';

type Plan = Pick<ScaleLiteClusterState, 'agentPlan' | 'removals' | 'securityGroupId'>;

/** Decides which agents come or go, and checks flavor and quotas for new ones before anything is created. */
export const planScaling = defineScaleStep<Plan>({
  name: 'plan',
  beginUpdate: announce('checking', 'The request is being checked.'),
  async run(context) {
    const { agentCount } = context.input;
    const cluster = await requireLiteCluster(context);
    if (cluster.status !== 'ACTIVE') throw conflict('wrong_state', 'The cluster is not ACTIVE.');
    const removals = agentsToRemove(cluster, agentCount);
    const added = Math.max(0, agentCount - cluster.agents.length);
    const agentPlan = added === 0 ? noAgents(cluster) : await planAgents(context, cluster, added);
    return { agentPlan, removals, securityGroupId: cluster.securityGroupId ?? '' };
  },
});

function noAgents({ id, name }: LiteCluster): AgentPlan {
  const nothing = {
    imageId: '',
    flavorId: '',
    haveGpus: false,
    networkId: '',
    keyName: null,
    volumeSizeGb: 0,
  };
  return { cluster: { id, name }, ...nothing, numbers: [] };
}
