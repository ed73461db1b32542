import { nullIfNotFound, requireWholeServer, UpstreamError } from '@gateway/openstack';
import { moveOf } from '@gateway/resources';
import { requireState } from '../../saga/index.ts';
import type { EvacuateHostStepContext, InstanceMove, PlannedInstance } from './saga.ts';

export const UNAUTHORIZED = 401;
/** Because of the instance. */
const REFUSALS = [400, 403, 409];

/**
 * Decides how an instance moves, by its state now. Null while a task of the instance has to end first.
 *
 * @param isPatient whether the task may still end in time
 */
export async function beginMove(
  context: EvacuateHostStepContext,
  { id }: PlannedInstance,
  isPatient: boolean,
): Promise<InstanceMove | null> {
  const { owner } = context;
  const { isUp, serviceHost } = requireState(context, 'host');
  const { migrations, servers } = owner().compute;
  const at = Date.now();
  const server = await nullIfNotFound(servers.get(id));
  if (server !== null) requireWholeServer(server);
  // Somebody has deleted or moved it.
  if (server === null || server['OS-EXT-SRV-ATTR:host'] !== serviceHost) {
    return { phase: 'moved', at, earlier: null };
  }
  const task = server['OS-EXT-STS:task_state'];
  if (task !== null) {
    if (isPatient) return null;
    return { phase: 'stayed', at, earlier: null, reason: `It is busy with the task ${task}.` };
  }
  const { move, reason } = moveOf(server, isUp);
  if (move === null) return { phase: 'stayed', at, earlier: null, reason };
  const earlier = (await migrations.latest(id, serviceHost))?.uuid ?? null;
  return { phase: 'requested', move, at, earlier };
}

/**
 * Sends the request of a move that is in the journal. Returns the move unchanged if there is no response:
 * whether it takes effect is seen later.
 */
export async function requestMove(
  { owner }: EvacuateHostStepContext,
  { id }: PlannedInstance,
  move: InstanceMove,
): Promise<InstanceMove> {
  const { servers } = owner().compute;
  try {
    if (move.move === 'live_migrate') await servers.migrateLive(id);
    else if (move.move === 'migrate') await servers.migrate(id);
    else await servers.evacuate(id);
    return { ...move, isAccepted: true };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (REFUSALS.includes(error.upstreamStatus ?? 0)) {
      return { ...move, phase: 'stayed', reason: error.message };
    }
    if (error.upstreamStatus === UNAUTHORIZED) throw error;
    return move;
  }
}
