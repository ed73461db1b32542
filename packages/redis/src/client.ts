import type { Cluster, Redis as SingleRedis } from 'ioredis';

/**
 * A connection to Redis as the code uses it, whether one server is behind it, a pair that Sentinels watch or a
 * Cluster. Keys that one command or script touches must share a slot: braces in them say which part counts.
 */
export type Redis = SingleRedis | Cluster;

/** A connection to one server at a time; in a Cluster that is one of its nodes. */
export type { SingleRedis };
