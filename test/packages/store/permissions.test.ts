import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { answersInfo, findForbiddenCommands, openRedis, waitUntilReady } from '@gateway/store';
import { requiredCommands } from '../../../packages/store/src/required-commands.ts';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { createRedisUser } from '../../support/redis/redis-user.ts';

const QUEUE_KEY = '{gw:maintenance}:permitted';
/** Histories do without `INFO`, and the queues use `LPOS` only on servers whose version they know. */
const OPTIONAL = ['INFO', 'LPOS'];
/** The documentation names them beside the list, or as optional. */
const BESIDE_THE_LIST = ['EXEC', 'INFO', 'MULTI', 'SUBSCRIBE'];

/** The commands that are methods of connections. */
const requireAsIoredis = createRequire(createRequire(import.meta.url).resolve('ioredis'));
const { list } = requireAsIoredis('@ioredis/commands') as { list: string[] };
const COMMANDS = new Set(list);
/** The usual names of connections and pipelines. */
const CONNECTIONS = new Set(['redis', 'pipeline', 'subscriber']);
/** Other values have no such methods. */
const OF_REDIS_ALONE =
  /^(?:[bhxz]\w+|l\w+|r(?:pop|push)\w*|s(?:add|card|diff|inter|ismember|mem|mismember|move|pop|rand|rem|scan|union)\w*|p?expire\w*|p?ttl|m[gs]et\w*|del|exists|getdel|getex|incr\w*|decr\w*|unlink|persist)$/;

describe('what a user of the store may do', () => {
  let server: RunningRedis;

  before(async () => {
    server = await startRedis();
  });
  after(() => server?.stop());

  /** What the server forbids a user with these rules, and whether it answers `INFO`. */
  async function judge(name: string, rules: readonly string[]) {
    const url = await createRedisUser(server, name, rules);
    const redis = openRedis({ url, cacheUrl: url, keyPrefix: 'gw:' }, 'wait');
    try {
      await waitUntilReady(redis.store, 5_000);
      const forbidden = await findForbiddenCommands(redis.store, QUEUE_KEY);
      return {
        forbidden: forbidden.map(({ command }) => command),
        info: await answersInfo(redis.store),
      };
    } finally {
      await redis.close();
    }
  }

  it('is enough without INFO', async () => {
    const judged = await judge('app', ['~*', '&*', '+@all', '-info']);

    assert.deepEqual(judged, { forbidden: [], info: false });
  });

  it('is enough with the commands of the list, for its keys alone', async () => {
    const listed = requiredCommands.map(({ name }) => `+${name.toLowerCase()}`);
    const keys = ['~gw:*', '~{gw:*', '&gw:*'];
    const { forbidden } = await judge('least', [...keys, '-@all', ...listed, '+multi', '+discard']);

    assert.deepEqual(forbidden, []);
  });

  it('names each command that is missing, and writes nothing', async () => {
    const rules = ['~*', '&*', '+@all', '-eval', '-@blocking', '-rename'];
    const { forbidden } = await judge('less', rules);

    assert.deepEqual(forbidden.toSorted(), ['BZPOPMIN', 'EVAL', 'RENAME', 'XREAD']);
    const { forbidden: withoutTransactions } = await judge('single', ['~*', '&*', '+@all', '-multi']);
    assert.deepEqual(withoutTransactions, ['MULTI']);
  });

  it('includes the keys of the queues', async () => {
    assert.deepEqual((await judge('keys', ['~gw:*', '&*', '+@all'])).forbidden, ['DEL']);
  });
});

describe('the list of commands that the store must allow', () => {
  const names = new Set(requiredCommands.map(({ name }) => name));

  it('has those of all scripts, of the gateway and of its queues', () => {
    const queues = dirname(createRequire(import.meta.url).resolve('bullmq/package.json'));
    const files = globSync([
      'packages/*/src/**/*.ts',
      'apps/{api,worker}/src/**/*.ts',
      join(queues, 'dist/esm/scripts/*.js'),
    ]);
    const called = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/(?:\brcall|\bredis\.p?call)\(\s*\\?['"]([A-Za-z]+)/g),
    ]);
    const missing = called.map(([, name = '']) => name.toUpperCase()).filter((name) => !names.has(name));

    assert.ok(called.length > 200, `only ${called.length} calls`);
    assert.deepEqual([...new Set(missing)].sort(), OPTIONAL);
  });

  it('has those that the gateway sends outside of scripts', () => {
    const files = globSync(['packages/*/src/**/*.ts', 'apps/{api,worker}/src/**/*.ts']);
    const calls = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/(\b\w+|\))\s*\??\.([a-z]+)\(/g),
    ]);
    const sent = calls.flatMap(([, value = '', method = '']) =>
      COMMANDS.has(method) && (CONNECTIONS.has(value) || OF_REDIS_ALONE.test(method))
        ? method.toUpperCase()
        : [],
    );
    const missing = sent.filter((name) => !names.has(name));

    assert.ok(sent.length > 150, `only ${sent.length} calls`);
    assert.deepEqual([...new Set(missing)].sort(), BESIDE_THE_LIST);
  });
});
