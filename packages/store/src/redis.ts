import type { Cluster, Redis as SingleRedis } from 'ioredis';

/**
 * A connection to a single server, to a pair watched by Sentinels, or to a Cluster. All keys of one command
 * or script must share a slot, which their hash tags (braces) ensure.
 */
export type Redis = SingleRedis | Cluster;

/** A connection to one server at a time; in a Cluster, to one of its nodes. */
export type { SingleRedis };
