/**
 * The commands that the gateway and its queues send to the store, or run in scripts, by the number of words
 * of their shortest form. Without `MULTI` and `EXEC`, between which they are tried, `SUBSCRIBE`, which is for
 * connections of their own, and what only some settings need, such as `WAIT`. A server may forbid all others,
 * such as `INFO`, `CONFIG` and `CLIENT`.
 */
const REQUIRED: Readonly<Record<number, string>> = {
  1: 'PING TIME',
  2: `DEL EXISTS GET GETDEL HGETALL HKEYS HLEN HVALS INCR DECR LLEN LPOP MGET PERSIST PTTL RPOP SCAN SCARD
    SMEMBERS TTL TYPE UNLINK XLEN ZCARD ZPOPMIN ZRANDMEMBER`,
  3: `BZPOPMIN EVAL EVALSHA EXPIRE HDEL HEXISTS HGET HMGET HSCAN INCRBY LINDEX LPUSH PEXPIRE PEXPIREAT PUBLISH
    RENAME RPOPLPUSH RPUSH SADD SET SISMEMBER SREM XDEL ZMSCORE ZRANK ZREM ZREVRANK ZSCORE`,
  4: `HINCRBY HMSET HSET HSETNX LRANGE LREM LSET LTRIM XRANGE XREAD XREVRANGE XTRIM ZADD ZCOUNT ZLEXCOUNT ZRANGE
    ZRANGEBYLEX ZRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE`,
  5: 'XADD',
};

interface RequiredCommand {
  name: string;
  words: number;
}

export const requiredCommands: readonly RequiredCommand[] = Object.entries(REQUIRED).flatMap(
  ([words, names]) => names.split(/\s+/).map((name) => ({ name, words: Number(words) })),
);
