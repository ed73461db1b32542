import {
  type MigrationRecord,
  nullIfNotFound,
  requireWholeServer,
  type ServerRecord,
  UpstreamError,
} from '@gateway/openstack';
import { requireState } from '../../saga/index.ts';
import { UNAUTHORIZED } from './request-move.ts';
import type { EvacuateHostStepContext, InstanceMove, PlannedInstance } from './saga.ts';

const SUCCEEDED = ['completed', 'confirmed', 'done'];
const FAILED = ['cancelled', 'error', 'failed', 'reverted'];
/** A stopped instance is on its new host, and the old one still keeps its disk. */
export const UNCONFIRMED = 'finished';

/**
 * Reads what has become of a request. Returns the same move while that is open, and one with a later time if
 * the request has to be sent again.
 */
export async function followMove(
  context: EvacuateHostStepContext,
  { id }: PlannedInstance,
  move: InstanceMove,
): Promise<InstanceMove> {
  const { jobs, timeLimits } = context.config;
  const { serviceHost } = requireState(context, 'host');
  const { migrations, servers } = context.owner().compute;
  // Read first: the service ends a migration last, after the task and the change of the host.
  const latest = await migrations.latest(id, serviceHost);
  const server = await nullIfNotFound(servers.get(id));
  if (server === null) return { ...move, phase: 'moved' };
  requireWholeServer(server);
  const migration = latest?.uuid === move.earlier ? null : latest;
  const isBusy = server['OS-EXT-STS:task_state'] !== null;
  const hasLeft = server['OS-EXT-SRV-ATTR:host'] !== serviceHost;
  if (isBusy || (migration !== null && isUnderWay(migration))) {
    if (!isBusy && migration?.status === UNCONFIRMED) await confirm(context, server);
    if (!isOverdue(move, timeLimits.moveSeconds)) return move;
    return { ...move, phase: 'stayed', reason: unfinished(server, timeLimits.moveSeconds) };
  }
  if (hasLeft && server['OS-EXT-STS:vm_state'] !== 'error') return { ...move, phase: 'moved' };
  // Without a trace of it, a request with no response may still come.
  if (!hasLeft && migration === null && move.isAccepted !== true && move.isRepeated !== true) {
    if (!isOverdue(move, jobs.lateCallSeconds)) return move;
    return { ...move, at: Date.now(), isRepeated: true };
  }
  return { ...move, phase: 'stayed', reason: reasonOf(server, hasLeft) };
}

function isUnderWay({ status }: MigrationRecord): boolean {
  return !SUCCEEDED.includes(status) && !FAILED.includes(status);
}

function isOverdue({ at }: InstanceMove, seconds: number): boolean {
  return Date.now() >= at + seconds * 1000;
}

/** The service may confirm by itself, or be busy with that. A later round checks, and asks again. */
export async function confirm(
  { owner }: EvacuateHostStepContext,
  { id }: Pick<ServerRecord, 'id'>,
): Promise<void> {
  try {
    await owner().compute.servers.confirmResize(id);
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.upstreamStatus === UNAUTHORIZED) throw error;
  }
}

function unfinished(server: ServerRecord, seconds: number): string {
  const doing = server['OS-EXT-STS:task_state'] ?? server.status;
  return `Its move has not ended within ${seconds} s (${doing}).`;
}

function reasonOf({ fault, status }: ServerRecord, hasLeft: boolean): string {
  const detail = fault === null ? '' : ` ${fault.message}`;
  if (hasLeft) return `It has left the host, and is in the state ${status}.${detail}`;
  return `The compute service has given up its move, for example because no other host has room.${detail}`;
}
