import type { ClusterCreation } from '@gateway/jobs';
import {
  liteClusterSettings,
  type NewLiteCluster,
  requireFreeBalancerNames,
  securityRuleCount,
} from '@gateway/lite';
import {
  checkQuotas,
  chooseClusterNetwork,
  clusterQuotaDemand,
  findFloatingNetwork,
  findForLiteCluster,
  isQuotaFull,
  readQuotas,
} from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { checksBeforeJob } from './checks-before-job.ts';

/**
 * Checks what a cluster's creation names, and the quotas for all nodes, in one round of parallel reads. See
 * decision 210.
 *
 * @throws 400 or 409 as the job would fail
 */
export async function checkLiteClusterCreation(
  request: RequestContext,
  cluster: Pick<NewLiteCluster, 'name' | 'plugins'>,
  input: Pick<ClusterCreation, 'agentCount' | 'agentFlavor' | 'keyName' | 'networkId'>,
): Promise<void> {
  const { app, caller } = request;
  const { projectId } = caller.identity;
  const { client, unlessUnavailable } = checksBeforeJob(request);
  const context = { config: app.config, input, projectId, owner: () => client };
  const [found, network, quotas] = await Promise.all([
    unlessUnavailable(findForLiteCluster(context, liteClusterSettings(app.config))),
    unlessUnavailable(chooseClusterNetwork(context)),
    readQuotas(client, projectId, false, unlessUnavailable),
    unlessUnavailable(requireFreeBalancerNames({ client, projectId, cluster })),
  ]);
  if (found === null || network === null) return;
  const floating = isQuotaFull(quotas, 'floating IPs')
    ? await unlessUnavailable(findFloatingNetwork(context, network))
    : null;
  const { agentCount } = input;
  // Only the job reads the subnets, and counts their rules.
  const securityRules = securityRuleCount({
    subnetCidrs: [],
    allowedFrom: app.config.lite.allowedFrom,
    hasKeyPair: input.keyName !== null,
  });
  checkQuotas(
    quotas,
    clusterQuotaDemand(context, { ...found, agentCount, hasFloatingIp: floating !== null, securityRules }),
  );
}
