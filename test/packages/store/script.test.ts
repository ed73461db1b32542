import assert from 'node:assert/strict';
import { defineScript, type RedisConnections } from '@gateway/store';
import { connectRedis, freshKeyPrefix } from '../../support/redis/test-redis.ts';

const definition = {
  name: 'echo',
  keys: ['first', 'second', '...others'],
  args: ['text', 'count', 'isSet', 'isMissing', '...pairs'],
  lua: `
    return { first, second, #others, others[1] or '', text, count + 1, isSet, isMissing, #pairs, pairs[2] or '' }`,
} as const;
const echo = defineScript(definition);
const longEcho = defineScript({ ...definition, hasLongArgs: true });

describe('a script of the store', () => {
  const keyPrefix = freshKeyPrefix('script');
  let redis: RedisConnections;

  before(async () => {
    redis = await connectRedis({ keyPrefix });
  });

  after(() => redis.close());

  const keys = { second: 'b', first: 'a', others: ['c', 'd'] };
  const args = { count: 6, text: 'x', isSet: true, isMissing: false, pairs: ['p', 'q'] };
  const expected = [`${keyPrefix}a`, `${keyPrefix}b`, 2, `${keyPrefix}c`, 'x', 7, '1', '', 2, 'q'];

  it('sees keys and arguments by name, in whatever order they are given', async () => {
    assert.deepEqual(await echo.run(redis.store, keys, args), expected);
  });

  it('sees the same outside of the pipeline', async () => {
    assert.deepEqual(await longEcho.run(redis.store, keys, args), expected);
  });

  it('sees empty lists', async () => {
    const reply = await echo.run(redis.store, { ...keys, others: [] }, { ...args, pairs: [] });

    assert.deepEqual(reply, [`${keyPrefix}a`, `${keyPrefix}b`, 0, '', 'x', 7, '1', '', 0, '']);
  });

  it('runs in a write that waits for replicas', async () => {
    assert.deepEqual(await echo.runReplicated(redis.store, keys, args), expected);
  });

  it('stores bytes unchanged', async () => {
    const store = defineScript({
      name: 'store',
      keys: ['key'],
      args: ['bytes'],
      lua: `return redis.call('SET', key, bytes)`,
    });
    const bytes = Buffer.from([0, 255, 10, 32, 32]);

    await store.run(redis.store, { key: 'bytes' }, { bytes });

    assert.deepEqual(await redis.store.getBuffer('bytes'), bytes);
  });

  it('reads the clock of the store', async () => {
    const clock = defineScript({
      name: 'clock',
      keys: ['key'],
      withClock: true,
      lua: `return { key, tostring(now) }`,
    });
    const before = Date.now();

    const [, now] = (await clock.run(redis.store, { key: 'k' })) as [string, string];

    assert.ok(Number(now) >= before && Number(now) < before + 60_000, now);
  });

  it('is refused without one of its values', async () => {
    const { text: _text, ...incomplete } = args;

    // @ts-expect-error The compiler finds the missing name as well.
    assert.throws(() => echo.run(redis.store, keys, incomplete), /no value for text/);
    // @ts-expect-error And an unknown one.
    await echo.run(redis.store, keys, { ...args, unknown: 1 });
  });

  it('names itself in the slow log', () => {
    assert.match(echo.text, /^-- echo\n/);
  });
});
