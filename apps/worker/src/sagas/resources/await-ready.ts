import { GatewayError } from '@gateway/core';
import { type BoundClient, FailedStateError, type WaitOptions, waitForStatus } from '@gateway/openstack';

export async function awaitVolume(
  { blockStorage }: BoundClient,
  id: string,
  wait: WaitOptions,
): Promise<void> {
  const { volumes } = blockStorage;
  await waitForStatus(() => volumes.get(id), statusOf, {
    ...wait,
    // A server that was already made from it by an earlier run has it in use.
    target: ['available', 'in-use'],
    failure: ['error', 'error_deleting', 'error_managing'],
  });
}

export async function awaitShare(
  { sharedFileSystem }: BoundClient,
  id: string,
  wait: WaitOptions,
): Promise<void> {
  const { shares } = sharedFileSystem;
  await waitForStatus(() => shares.get(id), statusOf, {
    ...wait,
    target: ['available'],
    failure: ['error', 'error_deleting'],
  });
}

/**
 * @param target beside ACTIVE, where the server may have come further before anybody looked
 * @throws with what a person can do something with, when it does not come up
 */
export async function awaitServer(
  { compute }: BoundClient,
  id: string,
  wait: WaitOptions,
  target: string[] = [],
): Promise<void> {
  const { servers } = compute;
  try {
    await waitForStatus(() => servers.get(id), statusOf, {
      ...wait,
      target: ['ACTIVE', ...target],
      failure: ['ERROR', 'DELETED'],
    });
  } catch (error) {
    if (!(error instanceof FailedStateError)) throw error;
    throw explainFault((await servers.get(id)).fault?.message ?? '', wait.describe, error);
  }
}

function explainFault(fault: string, what: string, cause: unknown): GatewayError {
  if (/no valid host/i.test(fault)) {
    return new GatewayError(
      409,
      'no_valid_host',
      `${what} could not be placed: no host has room for this flavor (no valid host was found).`,
      { cause },
    );
  }
  const reason = fault === '' ? 'the compute service gave no reason' : fault.replace(/[.\s]+$/, '');
  return new GatewayError(502, 'instance_failed', `${what} could not be started: ${reason}.`, { cause });
}

function statusOf({ status }: { status: string }): string {
  return status;
}
