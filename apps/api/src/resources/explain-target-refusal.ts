import { conflict, GatewayError } from '@gateway/core';
import { UpstreamError } from '@gateway/openstack';

/** What can have a floating IP. */
export type TargetKind = 'instance' | 'load balancer';

export const ALL_TAKEN: Record<TargetKind, string> = {
  instance: 'Every port of the instance that can take a floating IP has one already.',
  'load balancer': 'The address of the load balancer has a floating IP already.',
};

/**
 * The error for an association that the service has refused because of the target; null for any other error.
 */
export function explainTargetRefusal(error: unknown, kind: TargetKind): GatewayError | null {
  if (!(error instanceof UpstreamError)) return null;
  const { code, status, upstream, upstreamMessage } = error;
  if (/is not reachable from subnet/i.test(upstreamMessage ?? '')) {
    return noExternalNetwork(`No router connects the ${kind} to the external network.`, error);
  }
  const options = { cause: error, upstream };
  if (status === 404) {
    return conflict('refused_by_service', `The floating IP cannot be associated: ${error.message}`, options);
  }
  if (code === 'conflict' && /already has a floating IP/i.test(error.message)) {
    return conflict('already_done', ALL_TAKEN[kind], options);
  }
  return null;
}

export function noExternalNetwork(detail: string, cause?: unknown): GatewayError {
  return new GatewayError(400, 'no_external_network', detail, { cause });
}
