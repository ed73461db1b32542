import assert from 'node:assert/strict';
import { ConfigError, type Environment, loadConfig } from '@gateway/config';
import { minimalEnvironment } from './environment.ts';

function redisOf(environment: Environment) {
  return loadConfig(minimalEnvironment(environment)).redis;
}

/** The message of the error for this configuration. */
function messageOf(environment: Environment): string {
  try {
    redisOf(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the Redis of the configuration', () => {
  it('is one server by default', () => {
    const { sentinels, sentinelName, clusterNodes, waitForReplicas } = redisOf({});

    assert.deepEqual([sentinels, sentinelName, clusterNodes, waitForReplicas], [[], null, [], 0]);
  });

  it('can be a primary and replica with Sentinels', () => {
    const environment = {
      REDIS_URL: 'rediss://gateway:hush@by.sentinels/2',
      REDIS_SENTINELS: '10.0.0.1:26379, sentinel-2.example.org:26379,[fd00::3]:26379',
      REDIS_SENTINEL_NAME: 'store',
      REDIS_WAIT_FOR_REPLICAS: '1',
      REDIS_SENTINEL_PASSWORD: 'hush-too',
    };

    const { sentinels, sentinelName, waitForReplicas } = redisOf(environment);

    assert.deepEqual(sentinels, ['10.0.0.1:26379', 'sentinel-2.example.org:26379', '[fd00::3]:26379']);
    assert.equal(sentinelName, 'store');
    assert.equal(waitForReplicas, 1);
    assert.equal(loadConfig(minimalEnvironment(environment)).secrets.sentinelPassword, 'hush-too');
  });

  it('can be a Cluster', () => {
    const nodes = 'node-1:6379,node-2:6379';

    assert.deepEqual(redisOf({ REDIS_CLUSTER_NODES: nodes }).clusterNodes, ['node-1:6379', 'node-2:6379']);
    for (const url of ['redis://x', 'redis://x:6379/', 'redis://u:p@x/0']) {
      assert.equal(messageOf({ REDIS_CLUSTER_NODES: nodes, REDIS_URL: url }), '');
    }
  });

  it('cannot have both Sentinels and a Cluster', () => {
    assert.match(
      messageOf({ REDIS_SENTINELS: 's:1', REDIS_SENTINEL_NAME: 'store', REDIS_CLUSTER_NODES: 'n:1' }),
      /"redis\.sentinels" and "redis\.cluster_nodes" cannot both be set/,
    );
  });

  it('needs both the Sentinels and their name for the primary', () => {
    assert.match(messageOf({ REDIS_SENTINELS: 's:1' }), /"redis\.sentinel_name" must be set/);
    assert.match(messageOf({ REDIS_SENTINEL_NAME: 'store' }), /"redis\.sentinels" must be set/);
  });

  it('has only one database in a Cluster', () => {
    assert.match(
      messageOf({ REDIS_CLUSTER_NODES: 'n:1', REDIS_URL: 'redis://:hush@x/3' }),
      /^Configuration: "redis\.url" must name no database[^\n]*$/,
    );
  });

  it('needs the ports of all servers', () => {
    for (const server of ['node-1', 'redis://node-1:6379', 'user:hush@node-1:6379', 'fd00::3', ':6379']) {
      assert.match(
        messageOf({ REDIS_CLUSTER_NODES: `ok:1,${server}` }),
        /cluster_nodes\[1\]" must be host:port/,
      );
    }
    assert.match(
      messageOf({ REDIS_CLUSTER_NODES: 'n:65536' }),
      /"redis\.cluster_nodes\[0\]" must have a port/,
    );
  });
});
