import type { InstanceCreation } from '@gateway/jobs';
import {
  checkAdditionalVolumes,
  checkQuotas,
  findForInstance,
  instanceQuotaDemand,
  isQuotaFull,
  planFloatingIp,
  planInstanceNetwork,
  planZones,
  readQuotas,
} from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { checksBeforeJob } from './checks-before-job.ts';

/**
 * Checks what a creation names, and the quotas, in one round of parallel reads. Quotas on GPUs are left to
 * the job, which reserves them. See decision 210.
 *
 * @returns what the job need not read again; undefined if a check is left to it
 * @throws 400 or 409 as the job would fail
 */
export async function checkInstanceCreation(
  request: RequestContext,
  input: InstanceCreation,
): Promise<InstanceCreation['found']> {
  const { app, caller } = request;
  const { projectId } = caller.identity;
  const checks = checksBeforeJob(request);
  const { client, unlessUnavailable } = checks;
  const context = { config: app.config, input, projectId, owner: () => client };
  const { libraryIds, strategy } = input;
  const isStrategyKnown = libraryIds.length === 0 || strategy !== null;
  const [found, network, zones, quotas] = await Promise.all([
    unlessUnavailable(findForInstance(context)),
    unlessUnavailable(planInstanceNetwork(context)),
    unlessUnavailable(planZones(context)),
    readQuotas(client, projectId, libraryIds.length > 0 && strategy === 'dynamic', unlessUnavailable),
    unlessUnavailable(checkAdditionalVolumes(context)),
  ]);
  if (found === null || network === null) return undefined;
  // Only a full quota depends on whether the network has a route, which costs two more calls.
  const external = isQuotaFull(quotas, 'floating IPs')
    ? await unlessUnavailable(planFloatingIp(context, network))
    : null;
  const hasFloatingIp = (external?.externalNetworkId ?? null) !== null;
  const planned = { ...found, ...network, libraryIds, strategy, hasFloatingIp };
  checkQuotas(quotas, instanceQuotaDemand(context, planned));
  if (checks.isAnyLeft || zones === null) return undefined;
  return { ...found, ...network, ...zones, at: app.clock.now(), areQuotasChecked: isStrategyKnown };
}
