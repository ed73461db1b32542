import assert from 'node:assert/strict';
import type { AdminVolumeType } from '@gateway/resources';
import { answers, storageCalls } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const TYPES = '/api/admin/volume-types';
const ONE = `${TYPES}/type-1`;
const record = { id: 'type-1', name: 'fast', description: null, is_public: true };

describe('volume types of administrators', () => {
  const suite = apiSuite();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

  it('are public and without extra specs, unless the request has some', async () => {
    const api = await suite.start();
    const admin = administrator();
    const sent = (more: object) => ({
      requestBody: {
        volume_type: {
          name: 'fast',
          'os-volume-type-access:is_public': true,
          extra_specs: {},
          ...more,
        },
      },
    });
    const extra_specs = { volume_backend_name: 'nvme' };
    answers(suite.cloud, 'POST /types', { volume_type: record }, sent({}));
    const hidden = { ...record, is_public: false, extra_specs };
    answers(
      suite.cloud,
      'POST /types',
      { volume_type: hidden },
      sent({ 'os-volume-type-access:is_public': false, extra_specs }),
    );
    suite.cloud.reply('identity/projects', { times: 2 });

    const plain = await api.post<AdminVolumeType>(TYPES, { as: admin, body: { name: 'fast' } });
    const body = { name: 'fast', is_public: false, extra_specs };
    const other = await api.post<AdminVolumeType>(TYPES, { as: admin, body });

    assert.deepEqual([plain.status, plain.body], [201, { ...record, description: '', extra_specs: {} }]);
    assert.deepEqual(other.body, { ...hidden, description: '' });
  });

  it('that are in use are 409, with the reason of the service', async () => {
    const api = await suite.start();
    const message = 'Target volume type is still in use.';
    answers(suite.cloud, 'DELETE /types/type-1', { badRequest: { code: 400, message } }, { status: 400 });
    suite.cloud.reply('identity/projects');

    const { body, status } = await api.request<ErrorBody>('DELETE', ONE, { as: administrator() });

    assert.deepEqual([status, body.code], [409, 'conflict']);
    assert.equal(body.detail, `The volume type cannot be deleted: ${message}`);
  });

  it('refuse malformed input, before any call', async () => {
    const api = await suite.start();
    const admin = administrator();
    const refused: [string, string, object, string][] = [
      ['POST', TYPES, {}, 'body.name'],
      ['POST', TYPES, { name: 'x', is_public: 'yes' }, 'body.is_public'],
      ['POST', TYPES, { name: 'x', extra_specs: { key: 1 } }, 'body.extra_specs.key'],
      ['PUT', ONE, { name: ' ' }, 'body.name'],
    ];
    for (const [method, path, body, field] of refused) {
      const answer = await api.request<ErrorBody>(method, path, { as: admin, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field], JSON.stringify(body));
    }
    assert.deepEqual(storageCalls(suite.cloud), []);
  });
});
