import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type Delivery, openSecret, type WebhookSettings, webhookKeys } from '@gateway/webhooks';
import { WebhookReceiver } from '../../support/doubles/webhook-receiver.ts';
import { event, WebhooksInRedis } from './webhooks-in-redis.ts';

const HOUR_MS = 3_600_000;

describe('the deliveries of webhooks', () => {
  let world: WebhooksInRedis;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    world = new WebhooksInRedis();
    await world.open();
    receiver = await new WebhookReceiver().start();
  });
  afterEach(async () => {
    await receiver.close();
    await world.close();
    assert.deepEqual(world.errors, []);
  });

  const statesOf = async (id: string) =>
    Object.fromEntries((await world.store.deliveries(id, 2000)).map((one) => [one.eventId, one.state]));
  const read = async (id: string, eventId: string): Promise<Delivery> =>
    (await world.store.readDelivery(id, eventId)) ?? assert.fail('The delivery is gone.');
  /** As if this much time had passed for the events of a webhook, and for the webhook. */
  async function age(id: string, ms: number): Promise<void> {
    const sets = [webhookKeys.due, webhookKeys.leases, webhookKeys.queue(id), webhookKeys.deliveries(id)];
    for (const key of sets)
      for (const member of await world.redis.zrange(key, 0, '-1'))
        await world.redis.zincrby(key, -ms, member);
    for (const name of await world.redis.zrange(webhookKeys.deliveries(id), 0, '-1'))
      await world.redis.hincrby(webhookKeys.delivery(`${id}:${name}`), 'createdAt', -ms);
  }

  const change = (id: string, settings: Partial<WebhookSettings>) =>
    world.store.update({ id, projectId: 'p1' }, settings, 2_000);
  const test = (name: string, onlyWebhook: string) =>
    world.store.storeEvent(event(name, { type: 'webhook.test' }), { onlyWebhook });

  it('are signed in the form of Standard Webhooks', async () => {
    const { id, secret } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1', { data: { job_id: 'j1', error: 'Zu groß.' } }));

    await world.deliver();

    const [message] = receiver.received;
    assert.deepEqual(JSON.parse(message?.body ?? ''), {
      type: 'job.failed',
      timestamp: '2026-11-22T00:00:00.000Z',
      data: { job_id: 'j1', error: 'Zu groß.' },
    });
    const {
      'webhook-id': name,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = message?.headers ?? {};
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${name}.${at}.${message?.body}`).digest('base64');
    assert.deepEqual([name, signature], ['e1', `v1,${expected}`]);
    assert.ok(Math.abs(Date.now() / 1000 - Number(at)) < 60);
    const { attempts, body, error, nextAttemptAt, responseStatus, state } = await read(id, 'e1');
    assert.deepEqual(
      { attempts, body, error, nextAttemptAt, responseStatus, state },
      { attempts: 1, body: '', error: null, nextAttemptAt: null, responseStatus: 204, state: 'delivered' },
    );
    assert.deepEqual(world.outcomes, { delivered: 1 });
  });

  it('are those of its project and types, or of all projects', async () => {
    const all = await world.create(receiver.port);
    const chosen = await world.create(receiver.port, { events: ['job.held'] });
    const other = await world.create(receiver.port, { projectId: 'p2' });
    const off = await world.create(receiver.port, { enabled: false });
    const site = await world.create(receiver.port, { projectId: null });

    await world.store.storeEvent(event('e1'));
    await world.store.storeEvent(event('e2', { type: 'job.held' }));
    await world.store.storeEvent(event('e3', { projectId: 'p2' }));
    await world.store.storeEvent(event('e4', { projectId: null }));

    const names = async ({ id }: { id: string }) => Object.keys(await statesOf(id)).sort();
    assert.deepEqual(await Promise.all([all, chosen, other, off, site].map(names)), [
      ['e1', 'e2'],
      ['e2'],
      ['e3'],
      [],
      ['e1', 'e2', 'e3', 'e4'],
    ]);
  });

  it('happen once for an event that is reported twice', async () => {
    await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    await world.deliver();
    await world.store.storeEvent(event('e1'));
    await world.deliver();

    assert.deepEqual(receiver.ids, ['e1']);
  });

  it('are repeated with the same id until the receiver is back', async () => {
    const { id } = await world.create(receiver.port);
    for (const name of ['e1', 'e2', 'e3']) await world.store.storeEvent(event(name));
    const { port } = receiver;
    receiver.answer = () => ({ status: 503 });

    await world.deliver();
    assert.deepEqual(receiver.ids, ['e1'], 'the others wait, because the receiver has trouble');
    await world.deliver();
    assert.deepEqual(receiver.ids, ['e1']);
    const { error, nextAttemptAt, responseStatus } = await read(id, 'e1');
    assert.deepEqual([error, responseStatus], ['refused_by_response', 503]);
    assert.ok((nextAttemptAt ?? 0) > Date.now());

    await receiver.close();
    await age(id, 6_000);
    await world.deliver();
    assert.equal((await world.store.read(id))?.failures, 2);
    const sent = receiver.received[0]?.body;
    receiver = await new WebhookReceiver().start(port);
    await age(id, 31_000);
    await world.deliver();

    assert.deepEqual(receiver.ids.sort(), ['e1', 'e2', 'e3']);
    assert.equal(receiver.received.find(({ headers }) => headers['webhook-id'] === 'e1')?.body, sent);
    assert.equal((await world.store.read(id))?.failures, 0);
    assert.deepEqual(world.outcomes, { retried: 2, delivered: 3 });
  });

  it('wait as long as the receiver asks', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    await world.deliver();
    receiver.answer = () => ({ status: 204 });

    await age(id, HOUR_MS - 60_000);
    await world.deliver();
    assert.equal(receiver.ids.length, 1);

    await age(id, 120_000);
    await world.deliver();
    assert.deepEqual(receiver.ids, ['e1', 'e1']);
  });

  it('do not wait for an event that the receiver refuses', async () => {
    const { id } = await world.create(receiver.port);
    for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
    receiver.answer = ({ headers }) => ({ status: headers['webhook-id'] === 'e1' ? 400 : 204 });

    await world.deliver();

    assert.deepEqual(await statesOf(id), { e1: 'pending', e2: 'delivered' });
  });

  it('end after a day', async () => {
    const { id } = await world.create(receiver.port);
    receiver.answer = () => ({ status: 500 });
    for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
    await world.deliver();

    await age(id, 24 * HOUR_MS + 1);
    await world.deliver();

    assert.deepEqual(await statesOf(id), { e1: 'failed', e2: 'failed' });
    assert.deepEqual(world.outcomes, { retried: 1, failed: 2 });
    assert.deepEqual(await world.store.oldestPending(Date.now()), { projects: 0, site: 0 });
  });

  it('end when the receiver says that it is gone', async () => {
    const { id } = await world.create(receiver.port);
    for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
    receiver.answer = () => ({ status: 410 });

    await world.deliver();
    await world.store.storeEvent(event('e3'));
    await world.deliver();

    const { disabledReason, enabled } = (await world.store.read(id)) ?? assert.fail();
    assert.deepEqual([enabled, disabledReason, receiver.ids], [false, 'gone', ['e1']]);
    assert.deepEqual(await statesOf(id), { e1: 'failed', e2: 'failed' });
    assert.equal((await read(id, 'e1')).error, 'webhook_gone');
  });

  it('end when the webhook is disabled or removed', async () => {
    const one = await world.create(receiver.port);
    const other = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    assert.equal(await world.store.update({ ...one, projectId: 'p1' }, { enabled: false }, 2_000), true);
    assert.equal(await world.store.remove({ id: other.id, projectId: 'p2' }), false);
    assert.equal(await world.store.remove({ id: other.id, projectId: 'p1' }), true);

    await world.deliver();

    assert.deepEqual(receiver.ids, []);
    assert.equal((await read(one.id, 'e1')).error, 'webhook_disabled');
    const left = await world.redis.keys(`*${other.id}*`);
    assert.deepEqual(left, []);
    assert.deepEqual(await world.store.oldestPending(Date.now()), { projects: 0, site: 0 });
  });

  it('go to a new URL at once', async () => {
    const { id } = await world.create(1);
    await world.store.storeEvent(event('e1'));
    await world.deliver();
    assert.equal((await read(id, 'e1')).error, 'connection_failed');

    await change(id, { url: `http://127.0.0.1:${receiver.port}/` });
    await world.deliver();

    assert.deepEqual(receiver.ids, ['e1']);
  });

  it('are repeated with the same id after a worker has died', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    const dying = new AbortController();
    receiver.answer = () => {
      dying.abort();
      return 'hang';
    };
    await world.deliver(dying.signal);
    receiver.answer = () => ({ status: 204 });

    await world.deliver();
    assert.equal(receiver.ids.length, 1, 'the claim of the dead worker holds for a while');
    await age(id, 31_000);
    await world.deliver();

    assert.deepEqual(receiver.ids, ['e1', 'e1']);
  });

  it('lose the oldest events when too many wait', async () => {
    const { id } = await world.create(receiver.port);
    let lost = 0;
    for (let n = 0; n < 1002; n++) lost += await world.store.storeEvent(event(`e${n}`));

    assert.equal(lost, 2);
    const states = await statesOf(id);
    assert.equal(Object.keys(states).length, 1000);
    assert.equal(await world.redis.zcard(webhookKeys.queue(id)), 1000);
  });

  it('are measured by the oldest of the site and of projects', async () => {
    await world.create(receiver.port, { projectId: null });
    await world.store.storeEvent(event('e1', { projectId: 'p2' }));

    const { projects, site } = await world.store.oldestPending(Date.now() + 60_000);
    assert.ok(site >= 59_000 && site < 120_000, String(site));
    assert.equal(projects, 0);
  });

  it('are signed with the same secret after a rotation of keys', async () => {
    const { id, secret } = await world.create(receiver.port);
    const before = (await world.store.read(id)) ?? assert.fail();
    world.rotateKeys();
    await world.store.renewSeal(before, world.sealer);

    const after = (await world.store.read(id)) ?? assert.fail();
    assert.ok(world.sealer.isCurrent(after.sealedSecret) && !world.sealer.isCurrent(before.sealedSecret));
    assert.equal(openSecret(world.sealer, after.sealedSecret), secret);
  });

  it('happen for a test at once, whatever the webhook has chosen', async () => {
    const { id } = await world.create(1, { events: ['job.held'] });
    await test('t1', id);
    await world.deliver();
    await test('t2', id);

    await world.deliver();

    assert.equal((await read(id, 't2')).attempts, 1);
  });

  it('do not happen for a test of a disabled webhook', async () => {
    const { id } = await world.create(receiver.port, { enabled: false });

    await test('t1', id);

    assert.deepEqual(await world.store.deliveries(id, 10), []);
    assert.equal(await world.redis.zcard(webhookKeys.due), 0);
  });

  it('end when a webhook is found disabled, so that none is due', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    await world.redis.hset(webhookKeys.record(id), 'enabled', '');

    await world.deliver();

    assert.equal((await read(id, 'e1')).error, 'webhook_disabled');
    assert.deepEqual([receiver.ids, await world.redis.zcard(webhookKeys.due)], [[], 0]);
    assert.deepEqual(world.outcomes, { failed: 1 });
  });

  it('end when the webhook is disabled during a pass', async () => {
    const { id } = await world.create(receiver.port);
    for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
    receiver.answer = async () => {
      await change(id, { enabled: false });
      return { status: 204 };
    };

    await world.deliver();

    assert.deepEqual(receiver.ids, ['e1']);
    assert.deepEqual(await statesOf(id), { e1: 'failed', e2: 'failed' });
    assert.equal((await read(id, 'e2')).error, 'webhook_disabled');
  });

  for (const status of [410, 503]) {
    it(`go to a URL that replaces one which answers ${status}`, async () => {
      const { id } = await world.create(receiver.port);
      for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
      const other = await new WebhookReceiver().start();
      receiver.answer = async () => {
        await change(id, { url: `http://127.0.0.1:${other.port}/` });
        return { status };
      };

      await world.deliver();
      await other.close();

      assert.deepEqual([receiver.ids, other.ids], [['e1'], ['e1', 'e2']]);
      const { enabled, failures } = (await world.store.read(id)) ?? assert.fail();
      assert.deepEqual([enabled, failures], [true, 0]);
    });
  }

  for (const [what, act] of [
    ['a test', (id: string, n: number) => test(`t${n}`, id)],
    ['a change', (id: string, n: number) => change(id, { url: `http://127.0.0.1:${receiver.port}/${n}` })],
  ] as const) {
    it(`are due after ${what} in the millisecond of a claim, too`, async () => {
      const { id } = await world.create(receiver.port);
      await world.store.storeEvent(event('e1'));
      for (let n = 0; n < 100; n += 1) {
        const claim = (await world.store.claim(60_000)) ?? assert.fail(`Nothing is due after ${n} times.`);
        await act(id, n);
        await world.store.release(claim, 60_000);
      }
    });
  }

  it('wait for a short time after a receiver was back', async () => {
    const { id } = await world.create(receiver.port);
    await world.redis.hset(webhookKeys.record(id), 'failures', '7');
    for (const name of ['e1', 'e2']) await world.store.storeEvent(event(name));
    receiver.answer = ({ headers }) => ({ status: headers['webhook-id'] === 'e1' ? 204 : 503 });

    await world.deliver();

    assert.equal((await world.store.read(id))?.failures, 1);
    const due = Number(await world.redis.zscore(webhookKeys.due, id));
    assert.ok(due < Date.now() + 60_000, String(due - Date.now()));
  });

  it('leave a webhook that is gone disabled when something else changes', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    receiver.answer = () => ({ status: 410 });
    await world.deliver();

    await change(id, { description: 'Chat' });
    await change(id, { events: ['job.held'] });

    const { description, disabledReason, enabled, events } =
      (await world.store.read(id)) ?? assert.fail('The webhook is gone.');
    assert.deepEqual(
      { description, disabledReason, enabled, events },
      { description: 'Chat', disabledReason: 'gone', enabled: false, events: ['job.held'] },
    );
  });

  for (const [what, act] of [
    ['a test', (id: string) => test('t1', id)],
    ['a change', (id: string) => change(id, { url: `http://127.0.0.1:${receiver.port}/new` })],
  ] as const) {
    it(`are not sent by two workers at once after ${what}`, async () => {
      const { id } = await world.create(receiver.port);
      await world.store.storeEvent(event('e1'));
      receiver.answer = async () => {
        receiver.answer = () => ({ status: 204 });
        await act(id);
        await world.deliver();
        return { status: 204 };
      };

      await world.deliver();

      assert.equal(receiver.ids.filter((name) => name === 'e1').length, 1);
    });
  }

  it('count an attempt once although the write is repeated', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    const { next } = await world.store.nextDelivery(id);
    const outcome = { kind: 'again', error: 'timeout', delayMs: 5_000, pauseMs: 5_000 } as const;
    for (let n = 0; n < 2; n++)
      await world.store.endAttempt(next ?? assert.fail(), { outcome, responseStatus: null });

    assert.equal((await read(id, 'e1')).attempts, 1);
    assert.equal((await world.store.read(id))?.failures, 1);
  });

  it('do not wait for the slow receiver of another webhook', async () => {
    const slow = await new WebhookReceiver().start();
    let answer: () => void = () => assert.fail('The slow receiver was not asked.');
    slow.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 204 });
      });
    const { id } = await world.create(slow.port, { projectId: 'p2' });
    const other = await world.create(receiver.port);
    const [sender, nextWorker] = [world.sender(), world.sender()];
    await world.store.storeEvent(event('e1', { projectId: 'p2' }));
    await sender.pass();

    for (const [worker, name] of [
      [sender, 'e2'],
      [nextWorker, 'e3'],
    ] as const) {
      await world.store.storeEvent(event(name));
      await worker.pass();
    }

    assert.deepEqual([slow.ids, receiver.ids], [['e1'], ['e2', 'e3']]);
    assert.deepEqual(await statesOf(other.id), { e2: 'delivered', e3: 'delivered' });
    const { attempts, state } = await read(id, 'e1');
    assert.deepEqual([attempts, state], [0, 'pending'], 'it is still being sent');
    answer();
    await sender.close();
    assert.equal((await read(id, 'e1')).state, 'delivered');
    await slow.close();
  });

  it('happen at once when a test arrives after a refusal', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    receiver.answer = () => ({ status: 401 });
    await world.deliver();
    receiver.answer = () => ({ status: 204 });

    await test('t1', id);
    await world.deliver();

    assert.deepEqual(await statesOf(id), { e1: 'delivered', t1: 'delivered' });
  });

  it('wait for nobody after the removal, also if their records expired', async () => {
    const { id } = await world.create(receiver.port);
    await world.store.storeEvent(event('e1'));
    await world.redis.del(webhookKeys.deliveries(id), webhookKeys.delivery(`${id}:e1`));

    await world.store.remove({ id, projectId: 'p1' });

    assert.equal(await world.redis.zcard(webhookKeys.pendingOfProjects), 0);
  });
});
