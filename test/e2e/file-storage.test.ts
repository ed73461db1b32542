import assert from 'node:assert/strict';
import type { AccessRule, FileStorage, FileStorageQuota, ShareSnapshot } from '@gateway/resources';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { type ApiResponse, GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { followed } from '../support/subjects/followed.ts';

interface ErrorBody {
  code: string;
  detail: string;
}

const path = '/api/file-storage';

describe('file storage', function () {
  this.timeout(120_000);
  let stack: Stack;
  let demo: GatewayClient;
  let strangers: Record<string, GatewayClient>;
  let cloud: CloudClient;
  let admin: CloudClient;
  let baseline: string[];

  before(async () => {
    stack = await startTestStack({
      // Shares stay in the status `creating` long enough to be seen.
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '1' },
      config: {
        file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' } },
      },
    });
    const identityUrl = stack.identityUrl ?? '';
    cloud = await CloudClient.logIn(identityUrl, testLogin('demo'));
    admin = await CloudClient.logIn(identityUrl, testLogin('admin'));
    demo = await GatewayClient.logIn(stack.url, testLogin('demo'));
    strangers = {
      "the caller's own token of another project": await GatewayClient.logIn(stack.url, {
        ...testLogin('demo'),
        projectName: 'demo2',
      }),
      'another user': await GatewayClient.logIn(stack.url, testLogin('alice')),
      'an administrator of another project': await GatewayClient.logIn(stack.url, testLogin('admin')),
    };
    baseline = (await cloud.resourceIds()).shares;
  });

  after(async () => {
    try {
      for (const id of (await cloud.resourceIds()).shares.filter((share) => !baseline.includes(share))) {
        await demo.request('DELETE', `${path}/${id}`);
      }
      await eventually(async () => {
        assert.deepEqual((await cloud.resourceIds()).shares, baseline);
        return true;
      });
    } finally {
      await stack?.stop();
    }
  });

  async function create(differences: object = {}): Promise<FileStorage> {
    const answer = await demo.request<FileStorage>('POST', path, {
      name: 'e2e-share',
      size_gb: 1,
      ...differences,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  function available(id: string): Promise<FileStorage> {
    return eventually(async () => {
      const share = await demo.read<FileStorage>(`${path}/${id}`);
      assert.notEqual(share.status, 'error');
      return share.status === 'available' ? share : undefined;
    });
  }

  async function remove(id: string): Promise<void> {
    const answer = await demo.request('DELETE', `${path}/${id}`);
    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => (await demo.request('GET', `${path}/${id}`)).status === 404);
  }

  const listed = async (id: string) =>
    (await demo.read<FileStorage[]>(path)).find((share) => share.id === id);
  const refusal = ({ status, body }: ApiResponse<ErrorBody>) => [status, body.code];

  it('is followed to its end, and removed when it is cancelled', async () => {
    const body = { name: 'followed', size_gb: 1, share_proto: 'NFS', metadata: { purpose: 'test' } } as const;
    const events = await followed(demo, 'POST /api/file-storage/async', { body });

    assert.deepEqual(
      events.map(({ step }) => step),
      ['CHECKING', 'CREATING', 'COMPLETED'],
    );
    const id = events.at(-1)?.resource_id ?? '';
    const { metadata, share_proto, status } = await demo.read<FileStorage>(`${path}/${id}`);
    assert.deepEqual([metadata, share_proto, status], [{ purpose: 'test' }, 'NFS', 'available']);
    assert.equal((await listed(id))?.status, 'available');
    await remove(id);

    const cancelled = await followed(
      demo,
      'POST /api/file-storage/async',
      { body: { ...body, name: 'cancelled' } },
      async ({ job_id, step }) => {
        if (step !== 'CREATING') return;
        assert.equal((await demo.request('POST', `/api/jobs/${job_id}/cancel`)).status, 202);
      },
    );

    assert.deepEqual([cancelled.at(-1)?.step, cancelled.at(-1)?.resource_id], ['FAILED', null]);
    const shares = await demo.read<FileStorage[]>(`${path}?refresh=true`);
    assert.equal(shares.filter(({ name }) => name === 'cancelled').length, 0);
  });

  it('that exceeds the quota fails before it is created', async () => {
    const other = strangers["the caller's own token of another project"] as GatewayClient;
    const body = { name: 'refused', size_gb: 16_384, share_proto: 'NFS' } as const;
    const last = (await followed(other, 'POST /api/file-storage/async', { body })).at(-1);

    assert.deepEqual([last?.step, last?.code], ['FAILED', 'quota_exceeded'], last?.error ?? '');
  });

  for (const [share_proto, locations] of [
    ['NATIVEFS', /^192\.0\.2\.11:6789,.+:\/volumes\//],
    ['NFS', /^192\.0\.2\.20:\//],
  ] as const) {
    it(`a ${share_proto} share is created at once, listed, and deleted`, async () => {
      const created = await create({ share_proto, metadata: { purpose: 'test' } });

      assert.deepEqual([created.status, created.export_locations], ['creating', []]);
      assert.equal((await listed(created.id))?.status, 'creating', 'it is in the list at once');
      const share = await available(created.id);
      assert.deepEqual(
        [share.name, share.size, share.share_proto, share.metadata, share.project_id, share.user_id],
        ['e2e-share', 1, share_proto, { purpose: 'test' }, demo.projectId, cloud.userId],
      );
      assert.deepEqual(
        [share.library_name, share.library_version, share.built_at, share.share_network_id, share.is_public],
        [null, null, null, null, false],
      );
      assert.match(share.created_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.match(share.export_locations[0] ?? '', locations);
      assert.ok(share.export_locations.every((location) => !location.startsWith('127.')));
      const inList = (await demo.read<FileStorage[]>(`${path}?refresh=true`)).find(
        ({ id }) => id === share.id,
      );
      assert.deepEqual(inList, share);

      await remove(share.id);

      assert.equal(await listed(share.id), undefined);
      assert.deepEqual(refusal(await demo.request('DELETE', `${path}/${share.id}`)), [404, 'not_found']);
    });
  }

  it('a share accepts access rules and deletion only in the right state', async () => {
    const { id } = await create();
    const early = await demo.request<ErrorBody>('POST', `${path}/${id}/access-rules`, { access_to: 'me' });
    const deletion = await demo.request<ErrorBody>('DELETE', `${path}/${id}`);
    assert.deepEqual(refusal(early), [409, 'conflict']);
    assert.match(early.body.detail, /creating/);
    assert.deepEqual(refusal(deletion), [409, 'conflict']);
    assert.match(deletion.body.detail, /creating/);
    await available(id);
    const { snapshot } = await cloud.call<{ snapshot: { id: string } }>('sharev2', 'POST', '/snapshots', {
      snapshot: { share_id: id },
    });
    const at = `/snapshots/${snapshot.id}`;
    const status = async () =>
      (await cloud.call<{ snapshot?: { status: string } }>('sharev2', 'GET', at, undefined, [404])).snapshot
        ?.status;
    await eventually(async () => (await status()) === 'available');

    const withSnapshot = await demo.request<ErrorBody>('DELETE', `${path}/${id}`);

    assert.deepEqual(refusal(withSnapshot), [409, 'conflict']);
    assert.match(withSnapshot.body.detail, /snapshots/);
    await cloud.call('sharev2', 'DELETE', at);
    await eventually(async () => (await status()) === undefined);
    await remove(id);
  });

  it('native clients get a key of their own, once for each name', async () => {
    const { id } = await create();
    await available(id);
    const rules = `${path}/${id}/access-rules`;

    const created = await demo.request<AccessRule>('POST', rules, { access_to: 'e2e-client' });

    assert.equal(created.status, 201, created.text);
    assert.deepEqual(
      [created.body.access_type, created.body.access_level, created.body.access_to, created.body.access_key],
      ['nativeauth', 'ro', 'e2e-client', null],
    );
    const active = await eventually(async () => {
      const answer = await demo.request<AccessRule[]>('GET', rules);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const found = answer.body.find((rule) => rule.id === created.body.id);
      return found?.state === 'active' ? found : undefined;
    });
    assert.match(active.access_key ?? '', /^[A-Za-z0-9+/]+=*$/);
    const again = await demo.request<ErrorBody>('POST', rules, {
      access_to: 'e2e-client',
      access_level: 'rw',
    });
    assert.deepEqual(refusal(again), [409, 'conflict']);
    assert.equal((await demo.request('DELETE', `${rules}/${active.id}`)).status, 204);
    await eventually(async () => (await demo.read<AccessRule[]>(rules)).length === 0);
    assert.deepEqual(refusal(await demo.request('DELETE', `${rules}/${active.id}`)), [404, 'not_found']);
    await remove(id);
  });

  it('is filled from a snapshot, where its type has any', async () => {
    const { id } = await create({ share_proto: 'NFS' });
    await available(id);
    const snapshots = `${path}/snapshots`;
    const body = { name: 'e2e-snapshot', file_storage_id: id };
    const taken = await demo.request<ShareSnapshot & ErrorBody>('POST', snapshots, body);
    if (taken.status === 409) {
      assert.match(taken.body.detail, /cannot have snapshots/);
      await remove(id);
      return;
    }
    assert.equal(taken.status, 201, taken.text);
    const snapshot = `${snapshots}/${taken.body.id}`;
    await eventually(async () => (await demo.read<ShareSnapshot>(snapshot)).status === 'available');

    const listed = await demo.read<ShareSnapshot[]>(snapshots);
    const copy = await create({ name: 'e2e-copy', snapshot_id: taken.body.id });
    const refused = refusal(await demo.request('DELETE', `${path}/${id}`));

    assert.deepEqual(
      listed.map((row) => [row.id, row.file_storage_id, row.file_storage_name]),
      [[taken.body.id, id, 'e2e-share']],
    );
    assert.equal((await available(copy.id)).share_proto, 'NFS');
    assert.deepEqual(refused, [409, 'conflict']);
    for (const stranger of Object.values(strangers))
      assert.equal((await stranger.request('DELETE', snapshot)).status, 404);
    assert.equal((await demo.request('DELETE', snapshot)).status, 204);
    await eventually(async () => (await demo.request('GET', snapshot)).status === 404);
    await remove(id);
    await remove(copy.id);
  });

  it('NFS clients get access by address or network', async () => {
    const { id } = await create({ share_proto: 'NFS' });
    await available(id);
    const rules = `${path}/${id}/access-rules`;
    const grant = (access_to: string) =>
      demo.request<AccessRule>('POST', rules, { access_to, access_type: 'ip', access_level: 'rw' });

    const [one, all] = [await grant('10.1.2.3'), await grant('10.0.0.0/8')];

    assert.deepEqual([one.status, all.status], [201, 201]);
    await eventually(async () => {
      const found = await demo.read<AccessRule[]>(rules);
      return found.length === 2 && found.every(({ state }) => state === 'active');
    });
    assert.ok((await demo.read<AccessRule[]>(rules)).every(({ access_key }) => access_key === null));
    assert.equal((await grant('10.1.2.3')).status, 409);
    assert.equal((await grant('10.1.2.3/32')).status, 409, 'it is the same address');
    assert.equal((await grant('10.1.2.3/8')).status, 400, 'it is an address within a network');
    await remove(id);
  });

  it('nobody outside the project sees or changes a share', async () => {
    const { id } = await create();
    await available(id);
    const rules = `${path}/${id}/access-rules`;
    const { body: rule } = await demo.request<AccessRule>('POST', rules, { access_to: 'e2e-isolated' });
    for (const isPublic of [false, true]) {
      await admin.call('sharev2', 'PUT', `/shares/${id}`, { share: { is_public: isPublic } });
      for (const [who, stranger] of Object.entries(strangers)) {
        for (const [method, at, body] of [
          ['GET', `${path}/${id}`],
          ['DELETE', `${path}/${id}`],
          ['GET', rules],
          ['POST', rules, { access_to: 'stranger' }],
          ['DELETE', `${rules}/${rule.id}`],
        ] as const) {
          const answer = await stranger.request<ErrorBody>(method, at, body);
          assert.deepEqual(refusal(answer), [404, 'not_found'], `${who}: ${method} ${at}`);
        }
        const visible = await stranger.read<FileStorage[]>(`${path}?refresh=true`);
        assert.ok(!visible.some((share) => share.id === id), who);
      }
    }
    assert.deepEqual(
      (await demo.read<AccessRule[]>(rules)).map(({ access_to }) => access_to),
      ['e2e-isolated'],
    );
    await remove(id);
  });

  it('unknown types and networks are refused, and create nothing', async () => {
    const type = await demo.request<ErrorBody>('POST', path, { name: 'x', size_gb: 1, share_type: 'none' });
    const network = { name: 'x', size_gb: 1, share_network_id: 'none' };
    assert.deepEqual(refusal(type), [404, 'not_found']);
    assert.deepEqual(refusal(await demo.request('POST', path, network)), [404, 'not_found']);
    assert.deepEqual(refusal(await demo.request('GET', `${path}/none-1`)), [404, 'not_found']);
    assert.deepEqual(refusal(await demo.request('GET', `${path}/none-1/access-rules`)), [404, 'not_found']);
    assert.deepEqual((await cloud.resourceIds()).shares, baseline);
  });

  it('the quota counts existing shares, and a refusal contains its numbers', async () => {
    const other = strangers["the caller's own token of another project"] as GatewayClient;
    const quota = await other.read<FileStorageQuota>(`${path}/quota`);
    assert.deepEqual(Object.keys(quota).sort(), ['gigabytes', 'share_networks', 'shares', 'snapshots']);
    const { limit, in_use } = quota.gigabytes;
    assert.ok(limit > 0 && limit < 16_384, 'the second project has a quota');

    const answer = await other.request<ErrorBody>('POST', path, { name: 'e2e-huge', size_gb: 16_384 });

    assert.deepEqual(refusal(answer), [409, 'quota_exceeded']);
    assert.ok(
      answer.body.detail.includes(`gigabytes: 16384 requested, ${in_use} of ${limit} in use`),
      answer.body.detail,
    );
    const { id } = await create();
    const counted = await demo.read<FileStorageQuota>(`${path}/quota`);
    assert.ok(counted.shares.in_use >= 1 && counted.gigabytes.in_use >= 1);
    await available(id);
    await remove(id);
  });

  it('the share types say which one is the default', async () => {
    const types = await demo.read<{ name: string; is_default: boolean; is_public: boolean }[]>(
      `${path}/types`,
    );

    const defaults = types.filter(({ is_default }) => is_default).map(({ name }) => name);
    assert.deepEqual(defaults, ['default']);
    assert.ok(types.some(({ name, is_public }) => name === 'cephfs' && is_public));
  });
});
