import { immutable, sleep } from '@gateway/core';
import { isLoadBalancerBusy, type UpstreamError } from '@gateway/openstack';
import { ifItStays, isLoadBalancerInTransition } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { findLoadBalancer, findPool } from './find.ts';

const POLL_MS = 250;
const MAX_REPEATS = 8;

/**
 * Sends a write to a load balancer, or to what is below it. The service carries out one at a time and refuses
 * others meanwhile, so a refused write is repeated when the load balancer is ready again. Only a refusal that
 * had no effect is repeated. Writes that wait go in the order of their arrival, also those of several api
 * processes.
 *
 * @param ready the states in which the service carries it out
 * @throws 409 `immutable` with the state of the load balancer, if it does not become ready in time, or never
 * will, or with that of the pool that the write is for
 */
export async function writeInTurn<T>(
  request: RequestContext,
  loadBalancerId: string,
  write: () => Promise<T>,
  ready: readonly string[] = ['ACTIVE'],
): Promise<T> {
  const { app } = request;
  const timeout = AbortSignal.timeout(app.config.timeLimits.loadBalancerSeconds * 1000);
  const signal = AbortSignal.any([timeout, app.waitAbort.signal]);
  try {
    return await app.locks.run(`load-balancer:${loadBalancerId}`, signal, () =>
      writeWhenReady(write, (cause) => untilReady(request, loadBalancerId, ready, signal, cause)),
    );
  } catch (error) {
    if (error !== signal.reason) throw error;
    const { provisioning_status } = await findLoadBalancer(request, loadBalancerId);
    throw refusal(provisioning_status);
  }
}

/**
 * Creates a load balancer, which the service refuses while another request locks the quota of the project. It
 * has no turn to wait for, so that a few repeats have to do.
 */
export function createWhenUnlocked<T>({ app }: RequestContext, create: () => Promise<T>): Promise<T> {
  let repeats = 0;
  return writeWhenReady(create, (cause) => {
    if (repeats === MAX_REPEATS) throw cause;
    repeats += 1;
    return sleep(POLL_MS, app.waitAbort.signal);
  });
}

async function writeWhenReady<T>(
  write: () => Promise<T>,
  untilNext: (cause: UpstreamError) => Promise<void>,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isLoadBalancerBusy(error)) throw error;
      await untilNext(error);
    }
  }
}

async function untilReady(
  request: RequestContext,
  loadBalancerId: string,
  ready: readonly string[],
  signal: AbortSignal,
  cause: UpstreamError,
): Promise<void> {
  for (;;) {
    await sleep(POLL_MS, signal);
    const { provisioning_status } = await findLoadBalancer(request, loadBalancerId);
    if (ready.includes(provisioning_status)) return refuseFailedPool(request, loadBalancerId, cause);
    if (provisioning_status === 'ERROR' || provisioning_status === 'PENDING_DELETE') {
      throw refusal(provisioning_status, cause);
    }
  }
}

/** A pool that has failed stays so below an active load balancer, and nothing below it can be changed. */
async function refuseFailedPool(
  request: RequestContext,
  loadBalancerId: string,
  cause: UpstreamError,
): Promise<void> {
  const id = /^Pool (\S+) is immutable/.exec(cause.upstreamMessage ?? '')?.[1];
  if (id === undefined) return;
  const { provisioning_status } = await findPool(request, loadBalancerId, id);
  if (provisioning_status !== 'ERROR') return;
  throw immutable('The pool cannot be changed in its state ERROR: delete it and create it again.', {
    cause,
    upstream: cause.upstream,
  });
}

function refusal(status: string, cause?: UpstreamError): Error {
  const hint = ifItStays(isLoadBalancerInTransition(status));
  return immutable(`The load balancer cannot be changed in its state ${status}.${hint}`, {
    cause,
    upstream: cause?.upstream,
  });
}
