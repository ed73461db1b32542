import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { ConfigError, type Environment, loadConfig } from '@gateway/platform';
import { type Certificates, makeCertificates } from '../../../support/doubles/certificates.ts';
import { minimalEnvironment, withFile } from './environment.ts';

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

describe('TLS to Redis', () => {
  let certificates: Certificates;
  let folder: string;

  before(async () => {
    certificates = await makeCertificates(['redis.test']);
    folder = dirname(certificates.caFile);
  });
  after(() => certificates.remove());

  function load(redis: object) {
    return withFile(JSON.stringify({ redis }), loadConfig).redis;
  }

  function refuses(redis: object, ...problems: string[]): void {
    assert.throws(() => load({ url: 'rediss://store:6379', ...redis }), new ConfigError(problems));
  }

  it('takes authorities, a certificate with its key, and a name', () => {
    const { caFile, client } = certificates;
    const files = { ca_file: caFile, cert_file: client.certFile, key_file: client.keyFile };
    const redis = load({ url: 'rediss://store:6379', ...files, server_name: 'redis.test' });

    assert.deepEqual(
      [redis.caFile, redis.certFile, redis.keyFile, redis.serverName],
      [caFile, client.certFile, client.keyFile, 'redis.test'],
    );
    assert.equal(load({ cache_url: 'rediss://cache:6379', ca_file: caFile }).caFile, caFile);
  });

  it('needs files that can be read and belong together', () => {
    const { caFile, client, server } = certificates;
    refuses({ ca_file: folder }, `"redis.ca_file" names a file that cannot be read (${folder})`);
    refuses({ cert_file: client.certFile }, '"redis.cert_file" and "redis.key_file" must be set together');
    refuses(
      { cert_file: client.keyFile, key_file: join(folder, 'none') },
      `"redis.cert_file" names a file without a PEM certificate (${client.keyFile})`,
      `"redis.key_file" names a file that cannot be read (${join(folder, 'none')})`,
    );
    for (const keyFile of [server.keyFile, caFile]) {
      refuses(
        { cert_file: client.certFile, key_file: keyFile },
        `"redis.key_file" names a file without the private key of "redis.cert_file" (${keyFile})`,
      );
    }
  });

  it('needs a URL with rediss:', () => {
    const url = 'redis://store:6379';
    refuses(
      { url, ca_file: certificates.caFile, server_name: 'redis.test' },
      '"redis.url" must begin with rediss: if "redis.ca_file" is set',
      '"redis.url" must begin with rediss: if "redis.server_name" is set',
    );
  });

  it('needs the password of a user of the Sentinels', () => {
    assert.match(
      messageOf({ REDIS_SENTINELS: 's:1', REDIS_SENTINEL_NAME: 'store', REDIS_SENTINEL_USERNAME: 'me' }),
      /REDIS_SENTINEL_PASSWORD must be set/,
    );
  });
});
