import { conflict } from '@gateway/core';
import { type FloatingIpRecord, isFloatingIpUsed, isStale, UpstreamError } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { explainTargetRefusal, type TargetKind } from './explain-target-refusal.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { getOwnFloatingIp } from './own-records.ts';

const MAX_ATTEMPTS = 5;

/** The port and the address that get a floating IP. */
interface Target {
  port_id: string;
  fixed_ip_address: string;
}

/**
 * Associates a floating IP that has no port. The service would move one that is already associated. The
 * gateway's own requests therefore run one after the other, and the service refuses the write if another
 * client has changed the floating IP since the read.
 *
 * @param kind what the target belongs to, for messages
 * @throws 409 for a floating IP that is associated already or forwards ports, 400 if no router leads to its
 * network
 */
export function associateFree(
  request: RequestContext,
  id: string,
  choose: (floatingIp: FloatingIpRecord) => Promise<Target>,
  kind: TargetKind,
): Promise<FloatingIpRecord> {
  return oneAtATime(request, `floating-ip:${id}`, async () => {
    const floatingIp = await getFreeFloatingIp(request, id);
    return update(request, floatingIp, await choose(floatingIp), kind);
  });
}

/** @throws 409 for a floating IP that is associated already, or forwards ports */
async function getFreeFloatingIp(request: RequestContext, id: string): Promise<FloatingIpRecord> {
  const floatingIp = await getOwnFloatingIp(request, id);
  const { floating_ip_address: address, port_id: portId } = floatingIp;
  if (portId !== null) {
    throw conflict(
      'already_done',
      `The floating IP ${address} is associated with the port ${portId} already.`,
    );
  }
  if (!isFloatingIpUsed(floatingIp)) return floatingIp;
  throw conflict('in_use', `The floating IP ${address} forwards ports, so it cannot be associated.`);
}

/**
 * The service itself also changes a floating IP: its status changes after the end of an earlier association.
 */
async function update(
  request: RequestContext,
  floatingIp: FloatingIpRecord,
  changes: Target,
  kind: TargetKind,
): Promise<FloatingIpRecord> {
  const { id } = floatingIp;
  let current = floatingIp;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request.openstack.network.floatingIps.update(id, changes, current.revision_number);
    } catch (error) {
      if (!isStale(error)) throw explainTargetRefusal(error, kind) ?? explainBadTarget(error);
      if (attempt === MAX_ATTEMPTS) throw error;
    }
    current = await getFreeFloatingIp(request, id);
  }
}

/** The service answers 400 for a port that has changed its address meanwhile. */
function explainBadTarget(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.upstreamStatus !== 400) return error;
  const detail = `The floating IP cannot be associated: ${error.message}`;
  return conflict('refused_by_service', detail, { cause: error, upstream: error.upstream });
}
