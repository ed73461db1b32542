import { conflict, type GatewayError, notFound } from '@gateway/core';
import { nullIfNotFound, type ServerRecord, UpstreamError } from '@gateway/openstack';
import { type ActionRule, describeState, type ServerState } from '@gateway/resources';
import type { RequestContext } from '../pipeline/request-context.ts';
import { requireAction } from './require-action.ts';

export type InstanceRule = ActionRule<ServerState>;

/**
 * The error for a call that the compute service has refused because of the instance's state: a 409 with the
 * state that the instance has now, and the service's reason unless the state itself is one. 404 if the
 * instance is gone. `statuses` are those with which the service refuses this call. Other errors are returned
 * unchanged.
 */
export async function explainRefusal(
  request: Pick<RequestContext, 'caller' | 'openstack'>,
  serverId: string,
  rule: InstanceRule,
  error: unknown,
  statuses: readonly number[] = [409],
): Promise<unknown> {
  if (!isStateRefusal(error, statuses)) return error;
  const server = await nullIfNotFound(request.openstack.compute.servers.get(serverId));
  if (server === null) return notFound('There is no such instance in this project.');
  try {
    requireAction(request, rule, server);
  } catch (stateError) {
    return stateError;
  }
  return withState(rule, server, error);
}

function isStateRefusal(error: unknown, statuses: readonly number[]): error is UpstreamError {
  if (!(error instanceof UpstreamError) || error.code === 'quota_exceeded') return false;
  if (error.conflictReason === 'not_supported') return false;
  return error.code === 'conflict' || statuses.includes(error.upstreamStatus ?? 0);
}

/** The refusal when the state allows the action: the service has another reason, such as a lock. */
function withState({ refusal }: InstanceRule, server: ServerRecord, error: UpstreamError): GatewayError {
  const state = describeState(server);
  const detail = `${refusal}: ${state}, and the compute service says: ${error.message}`;
  return conflict('refused_by_service', detail, { cause: error, upstream: error.upstream });
}
