import { conflict, type GatewayError, notFound } from '@gateway/core';
import { type BoundClient, nullIfNotFound, type ServerRecord, UpstreamError } from '@gateway/openstack';

/** Which states of an instance allow an action. */
export interface StateRule {
  /** The beginning of the sentence for a refusal, such as "The instance cannot be started". */
  refusal: string;
  /** States of the virtual machine, as the compute service names them. */
  vmStates: readonly string[];
  /** The tasks during which the service refuses the action; all by default. */
  blockingTasks?: readonly string[];
  /** The only tasks during which the service allows the action; none by default. */
  allowedTasks?: readonly string[];
}

/**
 * @throws 409 with the state if it forbids the action. The service decides again, because the state may
 * change meanwhile.
 */
export function requireState(server: ServerRecord, rule: StateRule): void {
  const { allowedTasks = [], blockingTasks, refusal, vmStates } = rule;
  const task = server['OS-EXT-STS:task_state'] ?? null;
  const isBusy = task !== null && !allowedTasks.includes(task) && (blockingTasks?.includes(task) ?? true);
  if (isBusy || !vmStates.includes(server['OS-EXT-STS:vm_state'])) {
    throw conflict(`${refusal}: ${describeState(server)}.`);
  }
}

/** "its status is SHUTOFF and its task state is powering-on". */
function describeState(server: ServerRecord): string {
  const task = server['OS-EXT-STS:task_state'] ?? null;
  const status = `its status is ${server.status}`;
  return task === null ? status : `${status} and its task state is ${task}`;
}

/**
 * The error for a call that the compute service has refused because of the instance's state: a 409 with the
 * state that the instance has now, and the service's reason unless the state itself is one. 404 if the
 * instance is gone. `statuses` are those with which the service refuses this call. Other errors are returned
 * unchanged.
 */
export async function explainRefusal(
  { compute }: BoundClient,
  serverId: string,
  rule: StateRule,
  error: unknown,
  statuses: readonly number[] = [409],
): Promise<unknown> {
  if (!isStateRefusal(error, statuses)) return error;
  const server = await nullIfNotFound(compute.servers.get(serverId));
  if (server === null) return notFound('There is no such instance in this project.');
  try {
    requireState(server, rule);
  } catch (stateError) {
    return stateError;
  }
  return withState(rule, server, error);
}

function isStateRefusal(error: unknown, statuses: readonly number[]): error is UpstreamError {
  if (!(error instanceof UpstreamError) || error.code === 'quota_exceeded') return false;
  return error.code === 'conflict' || statuses.includes(error.upstreamStatus ?? 0);
}

/** The refusal when the state allows the action: the service has another reason, such as a lock. */
function withState({ refusal }: StateRule, server: ServerRecord, error: UpstreamError): GatewayError {
  const state = describeState(server);
  const detail = `${refusal}: ${state}, and the compute service says: ${error.message}`;
  return conflict(detail, { cause: error, upstream: error.upstream });
}
