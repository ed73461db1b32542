import assert from 'node:assert/strict';
import { requiredCommands } from '../../packages/store/src/required-commands.ts';
import { type RunningRedis, startRedis } from '../../scripts/redis.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { Creations } from '../support/load/creations.ts';
import { createRedisUser } from '../support/redis/redis-user.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const PREFIX = 'gateway:';

describe('a store whose user may only do what is needed', function () {
  this.timeout(120_000);
  let redis: RunningRedis;
  let stack: Stack;

  before(async () => {
    redis = await startRedis();
    const commands = [...requiredCommands.map(({ name }) => name), 'multi', 'exec', 'discard', 'subscribe'];
    const redisUrl = await createRedisUser(redis, 'least', [
      `~${PREFIX}*`,
      `~{${PREFIX}*`,
      `&${PREFIX}*`,
      '-@all',
      ...commands.map((name) => `+${name.toLowerCase()}`),
    ]);
    stack = await startTestStack({
      ...simulatedCloud,
      redisUrl,
      config: { redis: { key_prefix: PREFIX } },
    });
  });
  after(async () => {
    await stack?.stop();
    await redis?.stop();
  });

  it('has jobs that run, and health that is ok', async () => {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const creations = await Creations.prepare(gateway, new CloudsimControl(stack.cloudsim?.url ?? ''));

    await creations.start();
    await creations.assertCompleted();
    await eventually(async () => {
      const answer = await fetch(`${stack.url}/api/health`);
      return ((await answer.json()) as { status: string }).status === 'ok';
    });
  });
});

describe('a store that forbids what is needed', function () {
  this.timeout(120_000);

  it('ends the start, whose reason names the commands', async () => {
    const redis = await startRedis();
    try {
      const redisUrl = await createRedisUser(redis, 'less', ['~*', '&*', '+@all', '-eval', '-bzpopmin']);
      const starting = startTestStack({ ...simulatedCloud, redisUrl, own: true });

      await assert.rejects(starting, /allow BZPOPMIN, EVAL for the keys/);
    } finally {
      await redis.stop();
    }
  });
});
