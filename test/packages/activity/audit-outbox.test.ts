import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AuditOutbox, type CadfEvent } from '@gateway/activity';
import { createLogger } from '@gateway/platform';
import { type RedisConnections, setReplicatedWrite, unreplicatedWrite } from '@gateway/store';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

const OUTBOX = '{audit}:outbox';

const event = (id: string) => ({ id }) as CadfEvent;

describe('the outbox of the audit stream', () => {
  let log: ReturnType<typeof captureLogLines>;
  let redis: RedisConnections;
  let outbox: AuditOutbox;
  /** Writes wait until the test lets them continue. */
  let paused: Promise<void>;
  let isAvailable: boolean;
  let attempts: number;

  beforeEach(async () => {
    redis = await connectRedis();
    log = captureLogLines();
    const logger = createLogger({ level: 'debug', format: 'json', service: 'test' }, log.stream);
    paused = Promise.resolve();
    isAvailable = true;
    attempts = 0;
    setReplicatedWrite(redis.store, async (...write) => {
      attempts += 1;
      await paused;
      if (!isAvailable) throw new Error('The store is unavailable');
      return unreplicatedWrite(...write);
    });
    outbox = new AuditOutbox({ redis: redis.store, logger, maxWaiting: 2000 });
  });

  afterEach(() => redis.close());

  const ids = async () => (await outbox.first(2000)).map(({ event: { id } }) => id);

  /** The lines of the log with this message, once there are any. */
  const lines = (message: string) =>
    eventually(async () => {
      const found = log.withMessage(message);
      return found.length > 0 ? found : undefined;
    });

  /** Adds events while the store is unavailable. */
  async function hold(...names: string[]): Promise<void> {
    isAvailable = false;
    for (const name of names) await outbox.add(event(name));
    assert.deepEqual(await ids(), []);
  }

  it('holds events until the store is available again', async () => {
    await hold('e1', 'e2');
    isAvailable = true;

    await eventually(async () => (await ids()).length === 2);
    assert.deepEqual(await ids(), ['e1', 'e2']);
    assert.deepEqual((await outbox.state()).dropped, 0);
  });

  it('stores what it holds once, also if it closes meanwhile', async () => {
    await hold('e1', 'e2', 'e3');
    isAvailable = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    paused = promise;
    const before = attempts;
    await eventually(async () => attempts > before);
    const closing = outbox.close();
    let isClosed = false;
    void closing.then(() => {
      isClosed = true;
    });
    await setImmediate();
    assert.equal(isClosed, false);
    resolve();
    await closing;

    assert.deepEqual(await ids(), ['e1', 'e2', 'e3']);
    assert.equal(attempts, before + 3);
  });

  it('tries nothing more after it has closed, and says what is lost', async () => {
    await hold('e1');
    await outbox.close();
    const before = attempts;
    await outbox.add(event('e2'));

    assert.equal(attempts, before + 1);
    const [lost] = await lines('Audit events are lost: the store is unavailable');
    assert.equal(lost?.count, 1);
    assert.equal((await lines('An audit event is lost: the store is unavailable')).length, 1);
  });

  it('counts each event that it could not hold once', async () => {
    isAvailable = false;
    await Promise.all(Array.from({ length: 1003 }, (_, index) => outbox.add(event(`e${index}`))));
    await outbox.add(event('lost'));
    isAvailable = true;
    await Promise.all([outbox.add(event('a')), outbox.add(event('b'))]);

    await eventually(async () => (await outbox.state()).waiting === 1002);
    assert.equal((await outbox.state()).dropped, 4);
  });

  it('removes what nothing can read, and passes by newer forms', async () => {
    const { store } = redis;
    await store.xadd(OUTBOX, '*', 'event', 'no JSON');
    for (const id of ['n1', 'n2', 'n3'])
      await store.xadd(OUTBOX, '*', 'event', JSON.stringify({ form: 2, id }));
    await outbox.add(event('e1'));
    await outbox.add(event('e2'));

    const read = async () => (await outbox.first(2)).map((waiting) => waiting.event.id);
    assert.deepEqual(await read(), ['e1', 'e2']);
    assert.deepEqual(await read(), ['e1', 'e2']);
    const { dropped, waiting } = await outbox.state();
    assert.deepEqual([waiting, dropped], [5, 1]);
    assert.equal((await lines('A broken audit event is removed')).length, 1);
    assert.equal((await lines('Audit events of a newer version of the gateway wait for it')).length, 1);
  });
});
