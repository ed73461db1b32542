import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId, Sealer } from '@gateway/core';
import { countLostCredentials, type LiteClusterChange, LiteClusterStore } from '@gateway/lite';
import { UpstreamError } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { checkClusterCredentials } from '../../../apps/worker/src/maintenance/check-cluster-credentials.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

describe("the hourly check of the clusters' credentials", () => {
  const store = new TestStore();
  let clusters: LiteClusterStore;
  let log: LogLines;
  /** What the identity service answers to a log-in with a credential; by default a token. */
  const refusals = new Map<string, number>();
  const loggedIn: string[] = [];

  before(async () => {
    const redis = await store.connect();
    const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);
    clusters = new LiteClusterStore({ redis: redis.store, sealer });
  });

  beforeEach(() => {
    log = captureLogLines();
    refusals.clear();
    loggedIn.length = 0;
  });

  after(() => store.close());

  const check = (lite = true) =>
    checkClusterCredentials({
      liteClusters: clusters,
      config: { services: { lite } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream),
      stopping: new AbortController(),
      openstack: { identity: { authenticateApplicationCredential: logIn } },
    } as unknown as WorkerContext);

  async function logIn({ id, secret }: { id: string; secret: string }): Promise<void> {
    loggedIn.push(id);
    assert.equal(secret, `secret of ${id}`);
    const status = refusals.get(id);
    if (status !== undefined) throw rejection(status);
  }

  /** An ACTIVE cluster with a credential, unless `change` says otherwise. Returns its id. */
  async function cluster(credentialId: string, change: LiteClusterChange = {}): Promise<string> {
    const id = newId();
    const parties = { projectId: 'p1', userId: 'u1', creationJobId: newId() };
    const asked = { name: id, keyName: null, networkId: null, agentFlavorId: 'f1', plugins: [] };
    await clusters.create({ id, ...parties, ...asked, createdAt: Date.now() });
    const key = { id, name: id, projectId: 'p1' };
    await clusters.putSecrets(key, { credentialSecret: `secret of ${credentialId}` });
    const credential = { id: credentialId, userId: 'u1' };
    const active: LiteClusterChange = { status: 'ACTIVE', credential, ...change };
    await clusters.update(key, active, ['CREATING']);
    return id;
  }

  const isLost = async (id: string) => (await clusters.read(id))?.isCredentialLost === true;

  it('records and counts a lost credential until it works again', async () => {
    const left = await cluster('of-leaver');
    const kept = await cluster('of-member');
    await cluster('of-failed', { status: 'ERROR' });

    refusals.set('of-leaver', 401);
    await check();
    assert.deepEqual([await isLost(left), await isLost(kept)], [true, false]);
    assert.equal(await countLostCredentials(clusters), 1);
    await check();
    assert.deepEqual(
      log.withMessage('The credential of a cluster no longer works').map(({ cluster_id }) => cluster_id),
      [left],
    );

    refusals.clear();
    await check();
    assert.equal(await isLost(left), false);
    assert.equal(await countLostCredentials(clusters), 0);
    assert.deepEqual([...new Set(loggedIn)].sort(), ['of-leaver', 'of-member']);
  });

  it('takes no outage for a lost credential, and continues', async () => {
    const [unknown, left] = [await cluster('of-unknown'), await cluster('of-another-leaver')];
    refusals.set('of-unknown', 503).set('of-another-leaver', 404);

    await check();

    assert.deepEqual([await isLost(unknown), await isLost(left)], [false, true]);
    const [line] = log.withMessage('The credential of a cluster could not be checked');
    assert.equal(line?.cluster_id, unknown);
  });

  it('makes no call while the service of the clusters is switched off', async () => {
    await cluster('of-anybody');

    await check(false);

    assert.deepEqual(loggedIn, []);
  });
});

function rejection(upstreamStatus: number): UpstreamError {
  return new UpstreamError(
    upstreamStatus,
    'upstream_unavailable',
    'The identity service rejects the log-in.',
    {
      service: 'identity',
      operation: 'tokens.create',
      upstreamStatus,
      upstreamMessage: null,
      upstreamRequestId: null,
    },
  );
}
