import type { ResourceEvent } from './generated/types.gen.ts';
import type { FollowOptions } from './reconnection.ts';

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
 * disconnects, unless another loop watches the project.
 */
export type ProjectChanges = AsyncGenerator<ResourceChange | Reset, void, void>;
