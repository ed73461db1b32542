import type { Redis } from '@gateway/store';

/** All keys and values with a prefix, as one text. Tests search it for secrets. */
export async function everythingIn(bare: Redis, prefix: string): Promise<string> {
  const keys = await bare.keys(`*${prefix}*`);
  const values = await Promise.all(keys.map((key) => contentOf(bare, key)));
  return JSON.stringify(keys.map((key, index) => [key, values[index]]));
}

async function contentOf(bare: Redis, key: string): Promise<unknown> {
  switch (await bare.type(key)) {
    case 'string':
      return bare.get(key);
    case 'hash':
      return bare.hgetall(key);
    case 'list':
      return bare.lrange(key, 0, -1);
    case 'set':
      return bare.smembers(key);
    case 'zset':
      return bare.zrange(key, '0', '-1');
    case 'stream':
      return bare.xrange(key, '-', '+');
    default:
      return null;
  }
}
