import assert from 'node:assert/strict';
import type { FileStorage } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { forbidden } from '../../support/api/file-storage.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite } from '../../support/api/suite.ts';

const { answers } = serviceCalls('shared-file-system/share', '/v2');
const body = { name: 'data', size_gb: 2 };
const settings = {
  file_storage: { share_type: { nativefs: 'cephfs', nfs: 'default' }, share_network_id: 'net-1' },
};

describe('POST /api/file-storage', () => {
  const suite = apiSuite();

  function answersNetwork(id: string, project_id: string): void {
    const share_network = { id, name: 'exports', project_id };
    answers(suite.cloud, `GET /share-networks/${id}`, { share_network });
  }

  function answersTypes(...names: string[]): void {
    const required_extra_specs = { driver_handles_share_servers: 'True' };
    const share_types = names.map((name) => ({ id: name, name, required_extra_specs }));
    answers(suite.cloud, 'GET /types', { share_types });
  }

  /** Sends a request, upon which the gateway creates a share with these fields and a mark in its metadata. */
  async function create(request: { share_network_id?: string; metadata?: object | null }, wanted: object) {
    const api = await suite.start({ settings });
    const caller = suite.cloud.validCaller(newCaller());
    if (request.share_network_id) answersNetwork(request.share_network_id, caller.projectId);
    answersTypes('cephfs', 'gold');
    suite.cloud.reply('shared-file-system/share-create', {
      requestBody({ share }: { share: { metadata: Record<string, string> } }) {
        const { gateway_request, ...metadata } = share.metadata;
        assert.deepEqual({ ...share, metadata }, { name: 'data', size: 2, ...wanted });
        return gateway_request !== undefined;
      },
    });
    return api.post<FileStorage>('/api/file-storage', { as: caller, body: { ...body, ...request } });
  }

  it('creates a native share of the configured type and network at once', async () => {
    const metadata = { purpose: 'x' };

    const answer = await create(
      { metadata },
      { metadata, share_proto: 'CEPHFS', share_type: 'cephfs', share_network_id: 'net-1' },
    );

    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.body.status, answer.body.export_locations], ['creating', []]);
  });

  for (const path of ['/api/file-storage', '/api/file-storage/async']) {
    it(`is 404 for a share network of another project: ${path}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      answersNetwork('net-2', OTHER_PROJECT);

      const answer = await api.post<ErrorBody>(path, {
        as: caller,
        body: { ...body, share_network_id: 'net-2' },
      });

      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
      assert.match(answer.body.detail, /share network/);
    });
  }

  it('takes protocol, type and network from the request', async () => {
    const wanted = { share_proto: 'NFS', share_type: 'gold', share_network_id: 'net-2' };

    const answer = await create({ ...wanted, metadata: null }, { ...wanted, metadata: {} });

    assert.equal(answer.status, 201, answer.text);
  });

  const wrong: [object, string][] = [
    [{ name: '' }, 'body.name'],
    [{ name: ' ' }, 'body.name'],
    [{ name: 'x'.repeat(256) }, 'body.name'],
    [{ name: undefined }, 'body.name'],
    [{ size_gb: 0 }, 'body.size_gb'],
    [{ size_gb: 16_385 }, 'body.size_gb'],
    [{ size_gb: 1.5 }, 'body.size_gb'],
    [{ size_gb: '5' }, 'body.size_gb'],
    [{ share_proto: 'CIFS' }, 'body.share_proto'],
    [{ share_proto: 'CEPHFS' }, 'body.share_proto'],
    [{ share_network_id: '../x' }, 'body.share_network_id'],
    [{ metadata: { a: 1 } }, 'body.metadata.a'],
    [{ metadata: { overlay_type: 'prebuilt' } }, 'body.metadata.overlay_type'],
    [{ metadata: { overlay_x: 'y' } }, 'body.metadata.overlay_x'],
    [{ metadata: { gateway_job_id: 'y' } }, 'body.metadata.gateway_job_id'],
  ];
  for (const [differences, field] of wrong) {
    it(`is 400 for ${JSON.stringify(differences).slice(0, 60)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      const answer = await api.post<ErrorBody>('/api/file-storage', {
        as: caller,
        body: { ...body, ...differences },
      });

      assert.equal(answer.status, 400);
      assert.deepEqual(
        answer.body.errors?.map((error) => error.field),
        [field],
      );
    });
  }

  it('is 409 beyond a quota, with numbers that the service omits', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('shared-file-system/share-quota').reply('shared-file-system/limits');

    const answer = await api.post<ErrorBody>('/api/file-storage', {
      as: caller,
      body: { ...body, size_gb: 2000 },
    });

    assert.deepEqual([answer.status, answer.body.code], [409, 'quota_exceeded']);
    assert.match(answer.body.detail, /gigabytes: 2000 requested, 1 of 1000 in use/);
    assert.deepEqual(answer.body.params, { quota: 'gigabytes', requested: 2000, in_use: 1, limit: 1000 });
  });

  it("keeps the service's message for a quota outside of the project's", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud
      .reply('shared-file-system/share-quota', {
        body: {
          overLimit: {
            code: 413,
            message: 'Requested share size 20 is larger than maximum allowed limit 10.',
            retryAfter: '0',
          },
        },
      })
      .reply('shared-file-system/limits', forbidden("Policy doesn't allow limits:index to be performed."));

    const answer = await api.post<ErrorBody>('/api/file-storage', { as: caller, body });

    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.detail],
      [409, 'quota_exceeded', 'The quota for share size is exceeded: 10 allowed, 20 requested.'],
    );
  });

  it('allows five a minute', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('shared-file-system/share-create', { times: 5 });
    const statuses: number[] = [];

    for (let count = 0; count < 6; count++) {
      statuses.push((await api.post('/api/file-storage', { as: caller, body })).status);
    }

    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
  });
});
