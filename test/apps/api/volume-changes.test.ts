import assert from 'node:assert/strict';
import type { Volume } from '@gateway/resources';
import { answers, storageCalls, VOLUME_ID, volumeOf } from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';

const PATH = `/volumes/${VOLUME_ID}`;
const TYPES = {
  volume_types: [
    { id: 'type-1', name: 'standard', description: null, is_public: true },
    { id: 'type-2', name: 'fast', description: null, is_public: true },
  ],
};

describe('changes of a volume', () => {
  const suite = apiSuite();

  /** @param differences of the volume that is read; null if none is */
  async function start(differences: Parameters<typeof volumeOf>[1] | null = {}, roles?: string[]) {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller(roles && { roles }));
    const volume = volumeOf(caller, { size: 3, volume_type: 'standard', ...differences });
    if (differences !== null) answers(suite.cloud, `GET ${PATH}`, { volume });
    const send = <T = ErrorBody>(method: string, path: string, body: unknown) =>
      api.request<T>(method, `/api${PATH}${path}`, { as: caller, body });
    return { send, volume };
  }

  it('send only the fields of the request, and answer the volume', async () => {
    const { send, volume } = await start();
    const renamed = { ...volume, name: 'after' };
    answers(suite.cloud, `PUT ${PATH}`, { volume: renamed }, { requestBody: { volume: { name: 'after' } } });

    const { status, body } = await send<Volume>('PUT', '', { name: 'after' });

    assert.deepEqual([status, body.name, body.size], [200, 'after', 3]);
  });

  it('need no call for a request without fields', async () => {
    const { send } = await start();

    assert.equal((await send('PUT', '', {})).status, 200);
    assert.deepEqual(storageCalls(suite.cloud), [`GET ${PATH}`]);
  });

  for (const [method, path, body, field] of [
    ['PUT', '', { name: '' }, 'body.name'],
    ['PUT', '', { description: 'd'.repeat(256) }, 'body.description'],
    ['POST', '/extend', {}, 'body.new_size'],
    ['POST', '/extend', { new_size: 1.5 }, 'body.new_size'],
    ['POST', '/retype', {}, 'body.volume_type'],
    ['POST', '/retype', { volume_type: 'fast', migration_policy: 'always' }, 'body.migration_policy'],
  ] as const) {
    it(`are 400 before any call: ${method} ${path} ${JSON.stringify(body).slice(0, 50)}`, async () => {
      const { send } = await start(null);

      const answer = await send(method, path, body);

      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, field]);
      assert.deepEqual(storageCalls(suite.cloud), []);
    });
  }

  it('enlarge it', async () => {
    const { send } = await start();
    answers(suite.cloud, `POST ${PATH}/action`, '', {
      status: 202,
      requestBody: { 'os-extend': { new_size: 4 } },
    });

    const answer = await send('POST', '/extend', { new_size: 4 });

    assert.deepEqual([answer.status, answer.body], [200, { status: 'extending' }]);
  });

  it('do not shrink it', async () => {
    const { send } = await start();

    const answer = await send('POST', '/extend', { new_size: 3 });

    assert.deepEqual([answer.status, answer.body.detail], [400, 'The new size must be larger than 3.']);
  });

  for (const [volume_type, sent] of [
    ['fast', { new_type: 'type-2', migration_policy: 'never' }],
    ['type-2', { new_type: 'type-2', migration_policy: 'never' }],
  ] as const) {
    it(`give it another type, which is named as ${volume_type}`, async () => {
      const { send } = await start();
      answers(suite.cloud, 'GET /types', TYPES);
      answers(suite.cloud, `POST ${PATH}/action`, '', {
        status: 202,
        requestBody: { 'os-retype': sent },
      });

      const answer = await send('POST', '/retype', { volume_type });

      assert.deepEqual([answer.status, answer.body], [200, { status: 'retyping' }]);
    });
  }

  for (const [volume_type, status, code] of [
    ['unknown', 404, 'not_found'],
    ['standard', 400, 'invalid_input'],
    ['type-1', 400, 'invalid_input'],
  ] as const) {
    it(`are ${status} for the type ${volume_type}`, async () => {
      const { send } = await start();
      answers(suite.cloud, 'GET /types', TYPES);

      const answer = await send('POST', '/retype', { volume_type });

      assert.deepEqual([answer.status, answer.body.code], [status, code]);
    });
  }

  it('are 409 without a call in a state that forbids them', async () => {
    const { send } = await start({ status: 'backing-up' });

    const answer = await send('POST', '/retype', { volume_type: 'fast' });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /^The volume cannot get another type in its state backing-up: /);
  });

  for (const [method, path, body] of [
    ['PUT', '', { name: 'a' }],
    ['POST', '/extend', { new_size: 9 }],
    ['POST', '/retype', { volume_type: 'fast' }],
  ] as const) {
    it(`are 404 in another project, also for an administrator: ${method} ${path}`, async () => {
      const { send } = await start({ 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT }, ['admin']);

      assert.equal((await send(method, path, body)).status, 404);
      assert.deepEqual(storageCalls(suite.cloud), [`GET ${PATH}`]);
    });
  }
});
