import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { buildKubeconfig, KubeconfigRenewals, LiteClusterStore, parseKubeconfig } from '@gateway/lite';
import { type RedisConnections, setReplicatedWrite, unreplicatedWrite } from '@gateway/store';
import {
  type ClusterAuthorities,
  kubeconfigOf,
  newAuthorities,
} from '../../support/kubernetes/kubeconfig.ts';
import { nextToken } from '../../support/next-token.ts';
import { TestStore } from '../../support/redis/test-redis.ts';
import { everythingIn } from '../jobs/redis-contents.ts';

const DAY_MS = 86_400_000;

interface StoredCluster {
  id: string;
  name: string;
  projectId: string;
}

describe('renewed configuration files', () => {
  const store = new TestStore();
  const sealingKey = { id: 'key', key: randomBytes(32) };
  const sealer = new Sealer([sealingKey]);
  let redis: RedisConnections;
  let clusters: LiteClusterStore;
  let renewals: KubeconfigRenewals;
  let authorities: ClusterAuthorities;
  let cluster: StoredCluster;
  let token: string;

  before(async () => {
    redis = await store.connect();
    clusters = new LiteClusterStore({ redis: redis.store, sealer });
    renewals = new KubeconfigRenewals({ redis: redis.store, sealer });
    authorities = await newAuthorities();
  });
  after(() => store.close());

  beforeEach(async () => {
    cluster = { id: newId(), name: newId(), projectId: 'p1' };
    const asked = { userId: 'u1', keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ ...cluster, ...asked, creationJobId: newId(), createdAt: Date.now() });
    token = await renewals.issueToken(cluster.id);
    const file = await fileFor(1);
    const { credentials } = parseKubeconfig(file);
    await clusters.putSecrets(cluster, {
      kubeconfig: buildKubeconfig({ server: 'https://192.0.2.1:6443', credentials }),
    });
    await clusters.update(cluster, { status: 'ACTIVE' }, ['CREATING']);
  });

  const fileFor = (days: number) => kubeconfigOf(authorities, { endsInMs: days * DAY_MS });
  const stored = async () => parseKubeconfig((await clusters.readSecret(cluster, 'kubeconfig')) ?? '');
  const outcomeOf = async (used: string, file: string) => (await renewals.accept(used, file)).outcome;

  it('replace the stored file, which keeps its server', async () => {
    const file = await fileFor(365);

    const renewal = await renewals.accept(token, file);

    assert.deepEqual([renewal.outcome, 'isChanged' in renewal && renewal.isChanged], ['accepted', true]);
    assert.deepEqual(await stored(), { ...parseKubeconfig(file), server: 'https://192.0.2.1:6443' });
    assert.equal((await clusters.read(cluster.id))?.status, 'ACTIVE', 'the record is still readable');
  });

  it('replace the secret by the derived one, and can be repeated', async () => {
    const [first, second] = [await fileFor(300), await fileFor(365)];
    await renewals.accept(token, first);

    assert.equal(await outcomeOf(token, first), 'repeated');
    assert.equal(await outcomeOf(token, second), 'refused', 'a used secret with another report');
    assert.equal(await outcomeOf(nextToken(token), second), 'accepted');
    assert.equal(await outcomeOf(token, first), 'refused', 'an old report');
  });

  it('are accepted with later secrets, for a store that was restored', async () => {
    const file = await fileFor(365);

    assert.equal(await outcomeOf(token, file), 'accepted');
    assert.equal(await outcomeOf(nextToken(token, 8), file), 'accepted');
    assert.equal(await outcomeOf(nextToken(token, 7), file), 'refused');
    assert.equal(await outcomeOf(nextToken(token, 17), file), 'refused', 'too far ahead');
  });

  it('are refused with unknown and foreign secrets', async () => {
    const file = await fileFor(365);
    const secret = token.slice(token.indexOf('.') + 1);
    for (const used of [
      '',
      'unknown',
      cluster.id,
      `${cluster.id}.`,
      `${newId()}.${secret}`,
      nextToken(token),
    ]) {
      assert.equal(await outcomeOf(used, file), 'refused', used);
    }
  });

  it('are refused once the cluster is deleted or has failed', async () => {
    const file = await fileFor(365);
    await renewals.accept(token, file);
    await clusters.update(cluster, { status: 'DELETED' }, ['ACTIVE']);
    await clusters.destroySecrets(cluster);

    assert.equal(await outcomeOf(nextToken(token), file), 'refused');
    assert.equal(await outcomeOf(token, file), 'refused', 'even a repeated one');
    const fields = await redis.store.hkeys(`{lite}:cluster:${cluster.id}`);
    assert.deepEqual(
      fields.filter((name) => name.startsWith('secret:')),
      [],
    );
  });

  it('wait for the first file of a cluster', async () => {
    await redis.store.hdel(`{lite}:cluster:${cluster.id}`, 'secret:kubeconfig');
    const file = await fileFor(365);

    assert.equal(await outcomeOf(token, file), 'early');
    await clusters.putSecrets(cluster, { kubeconfig: await fileFor(1) });

    assert.equal(await outcomeOf(token, file), 'accepted', 'the secret is still valid');
  });

  it('never lower what the gateway trusts, and keep the secret', async () => {
    const before = await stored();
    const foreign = await newAuthorities();
    const problems = [
      await kubeconfigOf({ ...authorities, server: foreign.server }),
      await kubeconfigOf({ ...authorities, client: foreign.client }),
      await kubeconfigOf(authorities, { user: 'system:node:agent' }),
      await kubeconfigOf(authorities, { endsInMs: DAY_MS / 2 }),
    ];
    for (const file of problems) assert.equal(await outcomeOf(token, file), 'mismatch');

    assert.deepEqual(await stored(), before);
    assert.equal(await outcomeOf(token, await fileFor(2)), 'accepted');
  });

  it('are accepted after the end of the stored certificate', async () => {
    await clusters.putSecrets(cluster, { kubeconfig: await fileFor(-1) });

    assert.equal(await outcomeOf(token, await fileFor(365)), 'accepted');
  });

  it('change nothing when the same file is reported again', async () => {
    const file = await fileFor(365);
    await renewals.accept(token, file);

    const again = await renewals.accept(nextToken(token), file);

    assert.deepEqual([again.outcome, 'isChanged' in again && again.isChanged], ['accepted', false]);
  });

  it('survive a rotation of the sealing keys that is under way', async () => {
    const rotated = new Sealer([{ id: 'new', key: randomBytes(32) }, sealingKey]);
    const file = await fileFor(365);
    let isReported = false;
    const { store: slow } = await store.connect();
    // The report arrives between the read and the write.
    setReplicatedWrite(slow, async (...write) => {
      if (!isReported) await renewals.accept(token, file);
      isReported = true;
      return unreplicatedWrite(...write);
    });

    await new LiteClusterStore({ redis: slow, sealer: rotated }).renewSeals(cluster);

    assert.deepEqual((await stored()).credentials, parseKubeconfig(file).credentials);
  });

  it('let only one of two simultaneous reports use a secret', async () => {
    const files = await Promise.all([fileFor(300), fileFor(310), fileFor(320)]);

    const outcomes = await Promise.all(files.map((file) => outcomeOf(token, file)));

    assert.deepEqual(outcomes.sort(), ['accepted', 'refused', 'refused']);
  });

  it('store no secret in clear', async () => {
    await renewals.accept(token, await fileFor(365));

    const all = await everythingIn(redis.queue, store.prefix);
    for (const text of [token, nextToken(token)]) {
      assert.equal(all.includes(text.split('.').at(-1) ?? ''), false);
    }
    assert.doesNotMatch(all, /client-key-data/);
  });
});
