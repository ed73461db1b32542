import { GatewayError, instanceDescription, upstreamUnavailable } from '@gateway/core';
import {
  type FloatingIpRecord,
  type FloatingIpTarget,
  isUnanswered,
  UpstreamError,
} from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { explainTargetRefusal } from '../../resources/explain-target-refusal.ts';
import { listFloatingIps } from '../../resources/instance-floating-ips.ts';

/**
 * Creates and associates a floating IP in one call, so that a process which dies leaves no address without a
 * port. If the result of the call is unknown, searches for the floating IP by its mark.
 */
export async function allocateFloatingIp(
  request: RequestContext,
  serverId: string,
  { externalNetworkId, fixedAddress, portId }: FloatingIpTarget,
): Promise<FloatingIpRecord> {
  const description = instanceDescription(serverId);
  try {
    return await request.openstack.network.floatingIps.create({
      floating_network_id: externalNetworkId,
      port_id: portId,
      fixed_ip_address: fixedAddress,
      description,
    });
  } catch (error) {
    const created = isUnanswered(error) ? await findCreated(request, portId, description) : null;
    if (created !== null) return created;
    throw explainFailure(error);
  }
}

/** Null also if the look-up fails: the first error is the one to report. */
async function findCreated(
  request: RequestContext,
  portId: string,
  mark: string,
): Promise<FloatingIpRecord | null> {
  try {
    const floatingIps = await listFloatingIps(request, [portId]);
    const marked = floatingIps.find(({ description }) => description === mark);
    if (marked !== undefined || floatingIps.length === 0) return marked ?? null;
    // The port had none before, so in a cloud without descriptions it is that of the call.
    return (await request.openstack.network.extensions.hasDescriptions()) ? null : (floatingIps[0] ?? null);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    request.logger.warn('The result of a creation of a floating IP is unknown', { error });
    return null;
  }
}

/**
 * A failed allocation is a 500 in the interface; quotas, rate limits and unavailable services keep their own
 * statuses.
 */
function explainFailure(error: unknown): unknown {
  const ofTarget = explainTargetRefusal(error, 'instance');
  if (ofTarget !== null || !(error instanceof UpstreamError)) return ofTarget ?? error;
  const { code, retryAfterSeconds = RETRY_AFTER_SECONDS, upstream, upstreamStatus } = error;
  const options = { cause: error, upstream };
  if (upstreamStatus === 503) {
    return upstreamUnavailable('The network service is unavailable.', { ...options, retryAfterSeconds });
  }
  const isRefused = upstreamStatus === 400 || code === 'conflict';
  if (!isRefused && (upstreamStatus ?? 0) < 500) return error;
  return new GatewayError(500, 'floating_ip_failed', 'The floating IP could not be allocated.', options);
}

const RETRY_AFTER_SECONDS = 5;
