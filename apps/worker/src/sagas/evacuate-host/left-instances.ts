import type { ServerRecord } from '@gateway/openstack';
import type { EvacuateHostState, StayedInstance } from './saga.ts';

/** At most this many instances are named in an error. All are in the event's `stayed`. */
const MAX_NAMED = 10;

/** Those that the job could not move so far. */
export function stayedIn({ moves = {}, planned = [] }: Partial<EvacuateHostState>): StayedInstance[] {
  return planned.flatMap(({ id, name }) => {
    const move = moves[id];
    return move?.phase === 'stayed' ? [{ id, name, reason: move.reason ?? '' }] : [];
  });
}

/**
 * What is on the host after all moves, and what has left it in an error state. An instance that has come
 * since the list, for example from a creation in progress, was not the job's to move.
 */
export function leftOnHost(
  state: Partial<EvacuateHostState>,
  servers: readonly ServerRecord[],
): StayedInstance[] {
  const stayed = stayedIn(state);
  const known = new Set(stayed.map(({ id }) => id));
  const others = servers
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({ id, name, reason: 'It came to the host after the list.' }));
  return [...stayed, ...others];
}

export function describeStayed(left: readonly StayedInstance[]): string {
  const named = left.slice(0, MAX_NAMED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = left.length > MAX_NAMED ? ` And ${left.length - MAX_NAMED} more.` : '';
  const subject = left.length === 1 ? '1 instance has' : `${left.length} instances have`;
  return `${subject} not left the host as it should. The host stays disabled. ${named.join(' ')}${more}`;
}
