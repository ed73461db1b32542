import assert from 'node:assert/strict';
import { volumeList } from '@gateway/resources';
import {
  answers,
  refuses,
  storageCalls,
  transferOf,
  VOLUME_ID,
  volumeOf,
} from '../../support/api/block-storage.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { inOtherProject, newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { withServiceUser } from '../../support/api/settings.ts';
import { allStoredData } from '../../support/api/stored-data.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { cachedBody } from '../../support/cached-body.ts';
import { eventually } from '../../support/eventually.ts';

const KEY = '6bf4386c7dcdc33b';
const CREATE = `/api/volumes/${VOLUME_ID}/transfer`;
const ACCEPT = '/api/volumes/transfer/transfer-1/accept';
const KEYED = { 'idempotency-key': 'once' };

describe('transfers of volumes', () => {
  const suite = apiSuite();

  it('are listed without their keys', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, 'GET /volume-transfers/detail', { transfers: [transferOf(caller)] });

    const answer = await api.get('/api/volumes/transfers', { as: caller });

    assert.deepEqual(answer.body, [
      {
        id: 'transfer-1',
        name: '',
        volume_id: VOLUME_ID,
        volume_name: null,
        created_at: '2026-11-22T02:02:28Z',
      },
    ]);
  });

  it('return their key only at creation, and never store or log it', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    answers(
      suite.cloud,
      'POST /volume-transfers',
      { transfer: { ...transferOf(caller, { name: 'gift' }), auth_key: KEY } },
      { status: 202, requestBody: { transfer: { volume_id: VOLUME_ID, name: 'gift' } } },
    );
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', roles: ['admin'] }));
    answers(suite.cloud, 'GET /volume-transfers/transfer-1', { transfer: transferOf(caller) });
    answers(
      suite.cloud,
      'POST /volume-transfers/transfer-1/accept',
      { transfer: { id: 'transfer-1', volume_id: VOLUME_ID, name: 'gift' } },
      { status: 202, requestBody: { accept: { auth_key: KEY } } },
    );

    const create = () => api.post(CREATE, { as: caller, headers: KEYED, body: { name: 'gift' } });
    const created = await create();
    const repeated = await create();
    const accepted = await api.post(ACCEPT, { as: caller, headers: KEYED, body: { auth_key: KEY } });

    assert.equal(created.status, 201);
    assert.deepEqual(created.body, { id: 'transfer-1', name: 'gift', volume_id: VOLUME_ID, auth_key: KEY });
    assert.deepEqual(repeated.body, created.body);
    assert.equal(created.headers['cache-control'], 'no-store');
    assert.equal(accepted.status, 200);
    assert.deepEqual(accepted.body, { id: 'transfer-1', volume_id: VOLUME_ID });
    const audit = await eventually(async () => api.log.withMessage('Audit').at(2));
    assert.equal(audit.resource_id, `transfer-1/${VOLUME_ID}`);
    const stored = (await allStoredData(api)).join('\n');
    assert.match(stored, /idempotency/);
    assert.equal(stored.includes(KEY), false, 'in Redis');
    assert.equal(api.log.text().includes(KEY), false, 'in the log');
    assert.deepEqual(
      suite.cloud.calls().filter((call) => call.includes(KEY)),
      [],
      'in the address of a call',
    );
  });

  const refusals: [
    why: string,
    Record<string, { code: number; message: string }>,
    status: number,
    code: string,
  ][] = [
    [
      'a wrong key',
      {
        badRequest: { code: 400, message: 'Invalid auth key: Attempt to transfer x with invalid auth key.' },
      },
      400,
      'invalid_input',
    ],
    [
      'an unknown transfer',
      { itemNotFound: { code: 404, message: 'Transfer x could not be found.' } },
      404,
      'not_found',
    ],
    [
      'a volume beyond the quota',
      {
        overLimit: {
          code: 413,
          message:
            "VolumeLimitExceeded: Maximum number of volumes allowed (10) exceeded for quota 'volumes'.",
        },
      },
      409,
      'quota_exceeded',
    ],
    [
      'a volume that has changed its state',
      {
        badRequest: {
          code: 400,
          message: 'Invalid volume: Transfer x: Volume id y expected in awaiting-transfer state.',
        },
      },
      409,
      'conflict',
    ],
  ];
  for (const [why, refusal, status, code] of refusals) {
    it(`are ${status} to accept with ${why}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());
      const upstream = Object.values(refusal)[0]?.code;
      answers(suite.cloud, 'POST /volume-transfers/transfer-1/accept', refusal, {
        status: upstream,
      });

      const answer = await api.post<ErrorBody>(ACCEPT, {
        as: caller,
        headers: KEYED,
        body: { auth_key: KEY },
      });

      assert.deepEqual([answer.status, answer.body.code], [status, code]);
      assert.equal(answer.text.includes(KEY) || api.log.text().includes(KEY), false);
      assert.equal((await allStoredData(api)).join().includes(KEY), false);
    });
  }

  it('drop the lists of both projects when they are accepted', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const target = suite.cloud.validCaller(newCaller());
    const source = suite.cloud.validCaller(inOtherProject(newCaller()));
    for (const caller of [source, target]) {
      answers(suite.cloud, 'GET /volumes/detail', { volumes: [volumeOf(source)] });
      await api.get('/api/volumes', { as: caller });
      assert.ok(await cachedBody(api.context.cache, volumeList.keyFor(caller)));
    }
    const gateway = newCaller({ userId: 'gateway-id', roles: ['admin'] });
    suite.cloud.acceptsLogIn(gateway);
    answers(
      suite.cloud,
      'GET /volume-transfers/transfer-1',
      { transfer: transferOf(source) },
      { requestHeaders: { 'x-auth-token': gateway.token } },
    );
    answers(
      suite.cloud,
      'POST /volume-transfers/transfer-1/accept',
      { transfer: { id: 'transfer-1', volume_id: VOLUME_ID, name: null } },
      { requestHeaders: { 'x-auth-token': target.token } },
    );

    await api.post(ACCEPT, { as: target, body: { auth_key: KEY } });

    assert.equal(await cachedBody(api.context.cache, volumeList.keyFor(source)), null);
    assert.equal(await cachedBody(api.context.cache, volumeList.keyFor(target)), null);
  });

  it('are accepted although the service user cannot read them', async () => {
    const api = await suite.start({ settings: withServiceUser });
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.acceptsLogIn(newCaller({ userId: 'gateway-id', roles: ['admin'] }));
    answers(suite.cloud, 'GET /volume-transfers/transfer-1', '', { status: 500 });
    answers(suite.cloud, 'POST /volume-transfers/transfer-1/accept', {
      transfer: { id: 'transfer-1', volume_id: VOLUME_ID, name: null },
    });

    assert.equal((await api.post(ACCEPT, { as: caller, body: { auth_key: KEY } })).status, 200);
  });

  it('are 409 for a volume in the wrong state, with that state', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const volume = volumeOf(caller, { status: 'in-use' });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    refuses(suite.cloud, 'POST /volume-transfers', 'Invalid volume: status must be available');
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

    const answer = await api.post<ErrorBody>(CREATE, { as: caller });

    assert.equal(answer.status, 409);
    assert.equal(
      answer.body.detail,
      'The volume cannot be transferred in its state in-use: status must be available.',
    );
  });

  it('are 409 without a call for a volume in use', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller, { status: 'in-use' }) });

    const answer = await api.post<ErrorBody>(CREATE, { as: caller });

    assert.equal(
      answer.body.detail,
      'The volume cannot be transferred in its state in-use: it has to be available.',
    );
  });

  it('are 404 in another project, and so is its volume', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const transfer = transferOf(caller, { source_project_id: OTHER_PROJECT });
    answers(suite.cloud, 'GET /volume-transfers/transfer-1', { transfer });
    const volume = volumeOf(caller, { 'os-vol-tenant-attr:tenant_id': OTHER_PROJECT });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume });

    const removed = await api.request('DELETE', '/api/volumes/transfer/transfer-1', { as: caller });
    const created = await api.post(CREATE, { as: caller });

    assert.deepEqual([removed.status, created.status], [404, 404]);
  });

  it("of an old service without a project belong to the volume's project", async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const transfer = transferOf(caller, { source_project_id: null });
    answers(suite.cloud, 'GET /volume-transfers/transfer-1', { transfer });
    answers(suite.cloud, `GET /volumes/${VOLUME_ID}`, { volume: volumeOf(caller) });
    answers(suite.cloud, 'DELETE /volume-transfers/transfer-1', '', { status: 202 });

    const answer = await api.request('DELETE', '/api/volumes/transfer/transfer-1', { as: caller });

    assert.equal(answer.status, 204);
  });

  for (const body of [{}, { auth_key: '' }, { auth_key: 12 }, { auth_key: 'k'.repeat(256) }]) {
    it(`are 400 to accept with ${JSON.stringify(body).slice(0, 30)}`, async () => {
      const api = await suite.start();
      const caller = suite.cloud.validCaller(newCaller());

      assert.equal((await api.post(ACCEPT, { as: caller, body })).status, 400);
      assert.deepEqual(storageCalls(suite.cloud), []);
    });
  }
});
