import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import { type ApiResponse, type Body, type Client, startTestCloud, type TestCloud } from './client.ts';

const LONG_ENOUGH_MS = 5_000;

describe('holds of the simulated cloud', () => {
  let cloud: TestCloud;
  let demo: Client;
  let volumes: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    volumes = `/volume/v3/${demo.projectId}/volumes`;
  });
  afterEach(() => cloud.close());

  async function hold(spec: object): Promise<number> {
    const answer = await cloud.call('POST', '/_control/holds', spec);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  }

  async function reached(id: number): Promise<Body> {
    return (await cloud.call('GET', `/_control/holds/${id}?wait_ms=${LONG_ENOUGH_MS}`)).body;
  }

  function release(id: number): Promise<ApiResponse> {
    return cloud.call('POST', `/_control/holds/${id}/release`);
  }

  function create(requestId = newRequestId()): Promise<ApiResponse> {
    return demo.call('POST', volumes, { volume: { size: 1 } }, { 'X-OpenStack-Request-ID': requestId });
  }

  /** A client that can disconnect. */
  function createAndHangUp(): { hangUp(): void; outcome: Promise<unknown> } {
    const controller = new AbortController();
    const outcome = fetch(cloud.url + volumes, {
      method: 'POST',
      headers: { 'X-Auth-Token': demo.token },
      body: JSON.stringify({ volume: { size: 1 } }),
      signal: controller.signal,
    });
    return { hangUp: () => controller.abort(), outcome };
  }

  async function untilAbandoned(id: number): Promise<void> {
    let state = '';
    while (state !== 'abandoned') state = (await cloud.call('GET', `/_control/holds/${id}`)).body.state;
  }

  async function count(): Promise<number> {
    return (await cloud.call('GET', '/_control/state')).body.totals.volumes;
  }

  async function lastCreation(): Promise<Body> {
    return (await cloud.call('GET', '/_control/calls?operation=volumes.create')).body.calls.at(-1);
  }

  it('stop a call before it is carried out, until they are released', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'before' });
    const answer = create();

    const { state, call } = await reached(id);
    const countWhileHeld = await count();
    await release(id);

    assert.deepEqual([state, call.operation, call.performed], ['held', 'volumes.create', false]);
    assert.equal(countWhileHeld, 0);
    assert.equal((await answer).status, 202);
    assert.equal(await count(), 1);
  });

  it('never let a call through whose client disconnected before the release', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'before' });
    const caller = createAndHangUp();
    await reached(id);

    caller.hangUp();
    await assert.rejects(caller.outcome);
    await untilAbandoned(id);
    await release(id);

    assert.equal(await count(), 0);
    const { performed, made, status } = await lastCreation();
    assert.deepEqual({ performed, made, status }, { performed: false, made: null, status: null });
  });

  for (const [when, status, volumesMade] of [
    ['late', 202, 1],
    ['before', 401, 0],
  ] as const) {
    it(`end a call ${when} whose token was revoked meanwhile with ${status}`, async () => {
      const id = await hold({ operation: 'volumes.create', when });
      const answer = create();
      await reached(id);
      const revoked = { 'X-Subject-Token': demo.token };
      assert.equal((await demo.call('DELETE', '/identity/v3/auth/tokens', undefined, revoked)).status, 204);

      await release(id);

      assert.equal((await answer).status, status);
      assert.equal(await count(), volumesMade);
    });
  }

  it('delay the response of a performed call, even after a disconnect', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'after' });
    const caller = createAndHangUp();
    const { call } = await reached(id);

    caller.hangUp();
    await assert.rejects(caller.outcome);
    await untilAbandoned(id);

    assert.equal(await count(), 1);
    const { performed, made, status } = await lastCreation();
    assert.deepEqual({ performed, status }, { performed: true, status: null });
    assert.equal(made, call.made);
    assert.equal((await demo.call('GET', `${volumes}/${made}`)).status, 200);
  });

  it('send the delayed response after the release', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'after' });
    const answer = create();
    const { call } = await reached(id);

    await release(id);

    assert.equal((await answer).body.volume.id, call.made);
  });

  it('match only the first call with a request id', async () => {
    const requestId = newRequestId();
    const id = await hold({ operation: 'volumes.create', when: 'next' });

    assert.equal((await create(requestId)).status, 202);
    assert.equal((await create()).status, 202);
    const next = create(requestId);
    const { state, call } = await reached(id);
    const countWhileHeld = await count();
    await release(id);

    assert.deepEqual([state, call.request_id, call.performed], ['held', requestId, false]);
    assert.equal(countWhileHeld, 2);
    assert.equal((await next).status, 202);
  });

  it('stop a matching call once', async () => {
    const mine = newRequestId();
    const id = await hold({ operation: 'volumes.create', requestId: mine, nth: 2, when: 'before' });

    await create();
    await create(mine);
    const second = create(mine);
    assert.equal((await reached(id)).state, 'held');
    assert.equal(await count(), 2);
    await release(id);
    await second;

    assert.equal((await create(mine)).status, 202);
  });

  it('report a timeout if no call reaches them', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'before' });

    const { body } = await cloud.call('GET', `/_control/holds/${id}?wait_ms=1`);

    assert.deepEqual([body.state, body.call], ['armed', null]);
  });

  it('release all calls when they are cleared', async () => {
    const id = await hold({ service: 'block-storage', when: 'before' });
    const answer = create();
    await reached(id);

    await cloud.call('DELETE', '/_control/holds');

    assert.equal((await answer).status, 202);
    assert.equal((await cloud.call('GET', `/_control/holds/${id}`)).status, 404);
  });

  it('apply a fault to a call after its release', async () => {
    const id = await hold({ operation: 'volumes.create', when: 'before' });
    await cloud.call('POST', '/_control/faults', { operation: 'volumes.create', status: 500, after: true });
    const answer = create();
    await reached(id);

    await release(id);

    assert.equal((await answer).status, 500);
    assert.equal(await count(), 1);
    assert.equal((await lastCreation()).performed, true);
  });

  it('are rejected without a point', async () => {
    assert.equal((await cloud.call('POST', '/_control/holds', { when: 'meanwhile' })).status, 400);
  });
});
