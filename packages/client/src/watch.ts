import type { ResourceEvent } from './generated/types.gen.ts';
import type { FollowOptions } from './reconnection.ts';
import { resumedEvents } from './resumed-events.ts';

/** The type of a resource whose changes can be watched, or `job`. */
export type WatchedType = ResourceEvent['type'];

/** A change of a resource, without its contents. */
export type ResourceChange = ResourceEvent & {
  /** The position in the project's events. */
  eventId: string;
};

/** Changes may be missing: read the lists of these types. */
export interface Reset {
  change: 'reset';
  types: WatchedType[];
  eventId: string;
}

export interface WatchOptions extends Omit<FollowOptions, 'lastEventId'> {
  /** All types by default. */
  types?: readonly WatchedType[] | undefined;
  /** The `eventId` of the last known event, for example from before a page was reloaded. */
  lastEventId?: string | undefined;
  /** Fetches a new ticket for each connection. The connection then needs no credentials and no headers. */
  ticket?: (() => Promise<string>) | undefined;
}

/**
 * What changes in a project, each change once and in order. Iteration never ends by itself. Leaving the loop
 * disconnects.
 */
export type ProjectChanges = AsyncGenerator<ResourceChange | Reset, void, void>;

/**
 * Follows the changes of a project over any number of connections. Without a last event, the first connection
 * begins with a `Reset`.
 */
export async function* projectChanges(
  connect: (lastEventId: string) => Promise<Response>,
  { lastEventId = '', giveUpAfterMs = Number.POSITIVE_INFINITY, ...options }: WatchOptions,
): ProjectChanges {
  let position = lastEventId;
  const stream = { connect: () => connect(position) };
  for await (const { id = '', event, data } of resumedEvents(stream, { ...options, giveUpAfterMs })) {
    const isReset = event === 'reset' || (event === 'ready' && position === '');
    position = id;
    const fields = JSON.parse(data);
    if (event === undefined) yield { ...fields, eventId: id };
    else if (isReset) yield { change: 'reset', types: fields.types, eventId: id };
  }
}
