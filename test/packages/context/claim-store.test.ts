import assert from 'node:assert/strict';
import { claimStore } from '@gateway/context';
import { ConfigError } from '@gateway/platform';
import type { RedisConnections } from '@gateway/store';
import { connectRedis, freshKeyPrefix } from '../../support/redis/test-redis.ts';

const FIRST = { name: 'north', region: 'RegionOne', url: 'https://identity.example/v3' };

describe('the key prefix of a gateway', () => {
  let redis: RedisConnections;
  let keyPrefix: string;
  let warnings: unknown[];

  beforeEach(async () => {
    keyPrefix = freshKeyPrefix();
    redis = await connectRedis({ keyPrefix });
    warnings = [];
  });
  afterEach(() => redis.close());

  function claim({ name, region, url }: typeof FIRST, signal = new AbortController().signal): Promise<void> {
    const config = { gateway: { name }, identity: { region, url }, redis: { keyPrefix } };
    const logger = { warn: (_message: string, meta: unknown) => warnings.push(meta) };
    return claimStore({ config, logger, redis } as never, signal);
  }

  it('belongs to the region and cloud whose gateway used it first', async () => {
    await claim(FIRST);

    for (const other of [
      { ...FIRST, region: 'RegionTwo' },
      { ...FIRST, url: 'https://identity.other.example/v3' },
    ]) {
      await assert.rejects(claim(other), (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.exitCode, 78);
        assert.match(error.message, /"north" in the region RegionOne of the cloud identity\.example, and/);
        assert.ok(error.message.includes(`delete the key ${keyPrefix}owner`), error.message);
        return true;
      });
    }
    await claim(FIRST);
  });

  it('stays with a gateway whose identity service changes scheme or port', async () => {
    await claim(FIRST);

    await claim({ ...FIRST, url: 'http://identity.example:5000' });

    assert.deepEqual(warnings, []);
  });

  it('stays with a gateway under another name, which the log shows', async () => {
    await claim(FIRST);

    await claim({ ...FIRST, name: 'south' });
    await claim({ ...FIRST, name: 'south' });

    assert.deepEqual(warnings, [{ last_name: 'north' }]);
  });

  it('is free again when the key is gone', async () => {
    await claim(FIRST);
    await redis.store.del('owner');

    await claim({ ...FIRST, region: 'RegionTwo' });

    await assert.rejects(claim(FIRST), ConfigError);
  });

  it('is not asked for after the process has begun to stop', async () => {
    await claim({ ...FIRST, region: 'RegionTwo' }, AbortSignal.abort());

    await claim(FIRST);
  });
});
