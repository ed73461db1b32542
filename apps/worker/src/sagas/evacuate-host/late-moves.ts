import { nullIfNotFound } from '@gateway/openstack';
import { UNCONFIRMED } from './follow-move.ts';
import type { EvacuateHostState, EvacuateHostStepContext, InstanceMove } from './saga.ts';

type Moves = Pick<EvacuateHostState, 'moves'>;

/**
 * Whether a request of this move has had no response and was sent again. The first one may still move the
 * instance, from wherever it is then. Only a stopped instance waits for a confirmation afterwards.
 */
export function mayMoveLate({ move, isRepeated }: InstanceMove): boolean {
  return isRepeated === true && move === 'migrate';
}

/** The moves that late requests have made and that wait for a confirmation, each as a result of its own. */
export async function findLateMoves(context: EvacuateHostStepContext): Promise<Moves[]> {
  const { migrations, servers } = context.owner().compute;
  const found: Moves[] = [];
  for (const [id, move] of Object.entries(context.state.moves ?? {})) {
    if (!mayMoveLate(move)) continue;
    const server = await nullIfNotFound(servers.get(id));
    if (server?.status !== 'VERIFY_RESIZE') continue;
    const latest = await migrations.latest(id);
    // A resize of its user waits for its user.
    if (latest?.migration_type !== 'migration' || latest.status !== UNCONFIRMED) continue;
    found.push({ moves: { [id]: { ...move, isLate: true } } });
  }
  return found;
}
