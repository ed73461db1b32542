import assert from 'node:assert/strict';
import { VOLUME_ID } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { queuedData } from '../../support/api/jobs.ts';
import { apiSuite } from '../../support/api/suite.ts';

interface Followed {
  path: string;
  body: object;
  type: string;
  payload: object;
  /** The setting that limits the requests per minute, if there is one. */
  limit?: string;
  /** The id that the request knows already. */
  known?: string;
}

const followed: Followed[] = [
  {
    path: '/api/volumes/async',
    body: { name: 'v', source_volume_id: VOLUME_ID, volume_type: 'fast', description: 'a copy' },
    type: 'volume.create',
    payload: {
      name: 'v',
      description: 'a copy',
      sizeGb: null,
      imageId: null,
      snapshotId: null,
      sourceVolumeId: VOLUME_ID,
      volumeType: 'fast',
      availabilityZone: null,
    },
    limit: 'volume_create',
  },
  {
    path: '/api/file-storage/async',
    body: { name: 's', size_gb: 2, share_proto: 'NFS', metadata: { team: 'blue' } },
    type: 'share.create',
    payload: {
      name: 's',
      sizeGb: 2,
      protocol: 'NFS',
      shareType: null,
      shareNetworkId: null,
      metadata: { team: 'blue' },
    },
    limit: 'file_storage_create',
  },
  {
    path: '/api/clusters/async',
    body: { name: 'c', cluster_template_id: 't1', node_count: 2 },
    type: 'cluster.create',
    payload: { name: 'c', templateId: 't1', nodeCount: 2, masterCount: 1, keyPair: null },
    limit: 'managed_cluster_create',
  },
  {
    path: '/api/volumes/backups/async',
    body: { name: 'b', volume_id: VOLUME_ID, force: true },
    type: 'backup.create',
    payload: { name: 'b', volumeId: VOLUME_ID, description: null, force: true },
  },
  {
    path: '/api/volumes/backups/b1/restore/async',
    body: { volume_id: VOLUME_ID },
    type: 'backup.restore',
    payload: { backupId: 'b1', name: null, volumeId: VOLUME_ID },
    known: VOLUME_ID,
  },
];

for (const { path, body, type, payload, limit, known } of followed) {
  describe(`POST ${path}`, () => {
    const suite = apiSuite();

    it('queues the job without a call to the service, and streams', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const stream = await api.stream('POST', path, { as: caller, body });
      stream.close();

      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(stream.headers.get('x-resource-id'), known ?? null);
      const queued = await queuedData(api, String(stream.headers.get('x-job-id')));
      assert.deepEqual([queued.type, queued.payload], [type, payload]);
    });

    it('joins the same job for the same key', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const start = async () => {
        const headers = { 'idempotency-key': 'once' };
        const stream = await api.stream('POST', path, { as: caller, body, headers });
        stream.close();
        return stream.headers.get('x-job-id');
      };

      const first = await start();

      assert.ok(first !== null);
      assert.equal(await start(), first);
    });

    it('refuses a repeat without the preference', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const plain = path.replace('/async', '');
      const headers = { 'idempotency-key': 'once' };
      const preferring = { ...headers, prefer: 'respond-async' };

      assert.equal((await api.post(plain, { as: caller, body, headers: preferring })).status, 202);
      const answer = await api.post<ErrorBody>(plain, { as: caller, body, headers });

      assert.deepEqual([answer.status, answer.body.code], [409, 'idempotency_mismatch']);
      assert.equal(answer.headers['preference-applied'], undefined);
    });

    it('is the same as the plain request that prefers an asynchronous response', async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const headers = { prefer: 'wait=10, Respond-Async; reason="a, b"', 'idempotency-key': 'once' };
      const start = () =>
        api.post<{ id: string; state: string; type: string }>(path.replace('/async', ''), {
          as: caller,
          body,
          headers,
        });

      const answer = await start();

      const { id } = answer.body;
      assert.deepEqual([answer.status, answer.body.state, answer.body.type], [202, 'queued', type]);
      assert.equal(answer.headers['preference-applied'], 'respond-async');
      assert.match(String(answer.headers.vary), /^Prefer\b/);
      assert.equal(answer.headers['x-job-id'], id);
      assert.equal(answer.headers['x-resource-id'], known);
      assert.equal(answer.headers.location, `/api/jobs/${id}`);
      const queued = await queuedData(api, id);
      assert.deepEqual([queued.type, queued.payload], [type, payload]);
      const repeated = await start();
      assert.deepEqual([repeated.status, repeated.body.id], [202, id]);
      assert.equal(repeated.headers['idempotent-replayed'], 'true');
    });

    if (limit === undefined) return;
    it('counts against the limit of the plain request', async () => {
      const api = await suite.start({ settings: { rate_limits: { [limit]: 1 } } });
      const caller = suite.cloud.validCaller(newCaller());

      (await api.stream('POST', path, { as: caller, body })).close();
      const answer = await api.post<ErrorBody>(path, { as: caller, body });

      assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited']);
    });
  });
}
