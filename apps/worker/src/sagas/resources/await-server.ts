import { GatewayError } from '@gateway/core';
import {
  type BoundClient,
  FailedStateError,
  paramsOf,
  parseServerFault,
  type ServerFault,
  type ServerRecord,
  type Servers,
  type WaitOptions,
  waitFor,
} from '@gateway/openstack';

/**
 * @param target states that count as ready in addition to ACTIVE
 * @throws when the server fails, with the service's reason
 */
export async function awaitServer(
  { compute, polls }: BoundClient,
  id: string,
  wait: WaitOptions,
  target: string[] = [],
): Promise<void> {
  try {
    await polls.waitForStatus('server', id, {
      ...wait,
      targetStates: ['ACTIVE', ...target],
      failedStates: ['ERROR', 'DELETED'],
    });
  } catch (error) {
    if (!(error instanceof FailedStateError)) throw error;
    throw explainFault(parseServerFault(await readFailed(compute.servers, id, wait)), wait.describe, error);
  }
}

/** The service stores the reason of a failure shortly after the state. */
const FAULT_WAIT_MS = 3_000;

async function readFailed(
  servers: Servers,
  id: string,
  wait: WaitOptions,
): Promise<Pick<ServerRecord, 'fault'>> {
  const check = async () => {
    const server = await servers.get(id);
    return server.fault === null ? undefined : server;
  };
  try {
    return await waitFor(check, { ...wait, since: undefined, timeoutMs: FAULT_WAIT_MS });
  } catch (error) {
    wait.signal?.throwIfAborted();
    // The failure is reported even when its reason cannot be read.
    if (error instanceof GatewayError) return { fault: null };
    throw error;
  }
}

function explainFault(fault: ServerFault, what: string, cause: unknown): GatewayError {
  if (fault.kind === 'no_host') {
    const reason = fault.tried
      ? 'no host could take it, although several were tried'
      : 'no host has room for this flavor (no valid host was found)';
    return new GatewayError(409, 'no_valid_host', `${what} could not be placed: ${reason}.`, { cause });
  }
  if (fault.kind === 'quota') {
    const detail = `${what} could not be started. ${fault.sentence}`;
    return new GatewayError(409, 'quota_exceeded', detail, { cause, params: paramsOf(fault.quota) });
  }
  const reason = fault.reason ?? 'the compute service gave no reason';
  return new GatewayError(502, 'instance_failed', `${what} could not be started: ${reason}.`, { cause });
}
