import assert from 'node:assert/strict';
import {
  GatewayClient,
  type GatewayError,
  hasFailed,
  type JobEvent,
  type JobEvents,
  type JobMessage,
  type Reconnect,
} from '../../../packages/client/src/index.ts';
import { event, hangUp, json, StreamServer, stream } from './stream-server.ts';

const instance = { name: 'first', image_id: 'image-1', flavor_id: 'flavor-1' };
const unavailable = json(503, { detail: 'Not now.', code: 'unavailable', request_id: 'req-1' });

describe('the event streams of the client', () => {
  let server: StreamServer;

  beforeEach(() => {
    server = new StreamServer();
  });

  afterEach(() => server.stop());

  async function clientFor(...answers: Parameters<StreamServer['start']>): Promise<GatewayClient> {
    const url = await server.start(...answers);
    return new GatewayClient({ url, credentials: { token: 'token-1', projectId: 'project-1' } });
  }

  it('resume after the last event of a broken, short or rejected connection', async () => {
    const client = await clientFor(
      stream(event(1) + event(2), 'breaks'),
      unavailable,
      hangUp,
      stream(': the server is shutting down, please reconnect\n\n'),
      stream(event(2) + event(3) + event(4, 'COMPLETED'), 'stays open'),
    );

    const events = await all(client.createInstance(instance));

    assert.deepEqual(idsOf(events), [1, 2, 3, 4]);
    assert.equal(events.at(-1)?.step, 'COMPLETED');
    const resumed = server.seen.slice(1);
    assert.deepEqual(
      resumed.map(({ line }) => line),
      Array(4).fill('GET /api/jobs/job-1/events'),
    );
    assert.deepEqual(
      resumed.map(({ headers }) => headers['last-event-id']),
      Array(4).fill('2'),
    );
    for (const { headers } of server.seen) {
      assert.deepEqual([headers['x-auth-token'], headers['x-project-id']], ['token-1', 'project-1']);
    }
  });

  it('end with the last event of a cluster, in lower case', async () => {
    const client = await clientFor(stream(event(1, 'failed'), 'stays open'));

    assert.deepEqual(idsOf(await all(client.followJob('job-1'))), [1]);
  });

  it('repeat a creation after a lost response, with key and body', async () => {
    const client = await clientFor(hangUp, unavailable, stream(event(1, 'COMPLETED')));
    const named: string[] = [];
    const add = (id: string) => named.push(id);

    await all(client.createInstance(instance, { onJob: add, onResource: add, maxDelayMs: 20 }));

    assert.deepEqual(named, ['job-1', 'resource-1']);
    const [first, ...repeats] = server.seen;
    assert.equal(first?.line, 'POST /api/instances/async');
    assert.ok(first?.headers['idempotency-key']);
    assert.equal(repeats.length, 2);
    for (const { line, body, headers } of repeats) {
      assert.deepEqual(
        [line, body, headers['idempotency-key']],
        [first?.line, first?.body, first?.headers['idempotency-key']],
      );
    }
  });

  it('use a new key for each creation', async () => {
    const client = await clientFor(stream(event(1, 'COMPLETED')));

    await all(client.createInstance(instance));
    await all(client.createInstance(instance));

    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(new Set(keys).size, 2);
  });

  it('use the credentials of the moment when they resume', async () => {
    const client = await clientFor(stream(event(1), 'breaks'), stream(event(2, 'COMPLETED')));

    for await (const { id } of client.followJob('job-1')) {
      if (id === 1) client.credentials = { token: 'token-2', projectId: 'project-1' };
    }

    assert.deepEqual(
      server.seen.map(({ headers }) => headers['x-auth-token']),
      ['token-1', 'token-2'],
    );
  });

  it('stay in their project after a switch, also repeated creations', async () => {
    const client = await clientFor(hangUp, stream(event(1), 'breaks'), stream(event(2, 'COMPLETED')));
    const onReconnect = () => {
      client.credentials = { token: 'token-2', projectId: 'project-2' };
    };

    await all(client.createInstance(instance, { onReconnect, maxDelayMs: 20 }));

    assert.deepEqual(
      server.seen.map(({ line, headers }) => [line, headers['x-auth-token'], headers['x-project-id']]),
      [
        ['POST /api/instances/async', 'token-1', 'project-1'],
        ['POST /api/instances/async', 'token-2', 'project-1'],
        ['GET /api/jobs/job-1/events', 'token-2', 'project-1'],
      ],
    );
  });

  it('use a new ticket for each connection, and no headers', async () => {
    const client = await clientFor(stream(event(6), 'breaks'), stream(event(7, 'COMPLETED')));
    let tickets = 0;
    const ticket = async (): Promise<string> => `ticket-${++tickets}`;

    const events = await all(client.followJob('job-1', { ticket, lastEventId: 5 }));

    assert.deepEqual(idsOf(events), [6, 7]);
    assert.deepEqual(
      server.seen.map(({ line }) => line),
      [
        'GET /api/jobs/job-1/events?ticket=ticket-1&last_event_id=5',
        'GET /api/jobs/job-1/events?ticket=ticket-2&last_event_id=6',
      ],
    );
    for (const { headers } of server.seen) {
      assert.deepEqual([headers['x-auth-token'], headers['last-event-id']], [undefined, undefined]);
    }
  });

  it('report waits for another connection, and their end', async () => {
    const client = await clientFor(
      stream(event(1), 'breaks'),
      unavailable,
      stream(event(2), 'breaks'),
      stream(event(3, 'COMPLETED')),
    );
    const told: string[] = [];

    const events = client.followJob('job-1', {
      onReconnect: ({ attempt }) => told.push(`waits ${attempt}`),
      onReconnected: () => told.push('connected'),
      maxDelayMs: 20,
    });
    for await (const { id } of events) told.push(`event ${id}`);

    assert.deepEqual(told, [
      'event 1',
      'waits 1',
      'waits 2',
      'connected',
      'event 2',
      'waits 1',
      'connected',
      'event 3',
    ]);
  });

  for (const listener of ['onJob', 'onResource', 'onReconnected'])
    it(`end with the error of ${listener}`, async () => {
      const client = await clientFor(hangUp, stream(event(1), 'stays open'));
      const fail = () => {
        throw new Error('The page is broken.');
      };

      const events = client.createInstance(instance, { [listener]: fail, maxDelayMs: 20 });

      await assert.rejects(all(events), { message: 'The page is broken.' });
      assert.equal(server.seen.length, 2, 'no connection replaces the one that has succeeded');
    });

  it('connect at once when the page asks for it', async () => {
    const client = await clientFor(
      stream(`retry: 30000\n\n${event(1)}`, 'breaks'),
      stream(event(2, 'COMPLETED')),
    );
    const waits: number[] = [];

    const events = client.followJob('job-1', {
      onReconnect: ({ delayMs, tryNow }) => {
        waits.push(delayMs);
        setImmediate(tryNow);
      },
    });

    // Without it the test would end by its time limit.
    assert.deepEqual(idsOf(await all(events)), [1, 2]);
    assert.ok(waits.length === 1 && (waits[0] ?? 0) >= 15_000, String(waits));
  });

  it('keep the progress that a failed job had reached, over connections too', async () => {
    const failed = event(3, 'FAILED', -1);
    const client = await clientFor(
      stream(event(1) + event(2, 'VOLUME_CREATING', 70), 'breaks'),
      stream(failed),
    );

    const events = await all(client.followJob('job-1'));

    assert.deepEqual(
      events.map(({ progress, step }) => [step, progress, hasFailed({ step })]),
      [
        ['SERVER_CREATING', 50, false],
        ['VOLUME_CREATING', 70, false],
        ['FAILED', 70, true],
      ],
    );
    const [only] = await all(client.followJob('job-1', { lastEventId: 2 }));
    assert.equal(only?.progress, 0, 'nothing came before');
  });

  it('wait as the gateway asks, with jitter, doubling each time', async () => {
    const client = await clientFor(
      stream(`retry: 40\n\n${event(1)}`, 'breaks'),
      hangUp,
      hangUp,
      stream(event(2, 'COMPLETED')),
    );
    const delays: number[] = [];

    await all(client.followJob('job-1', { onReconnect: ({ delayMs }) => delays.push(delayMs) }));

    assert.equal(delays.length, 3);
    for (const [index, delayMs] of delays.entries()) {
      const limit = 40 * 2 ** index;
      assert.ok(delayMs >= limit / 2 && delayMs <= limit, `${delayMs} of ${limit}`);
    }
  });

  it('wait as long as an error response asks', async () => {
    const busy = json(429, { code: 'rate_limited' }, { 'retry-after': '1' });
    const client = await clientFor(stream(event(1), 'breaks'), busy, stream(event(2, 'COMPLETED')));
    const reconnects: Reconnect[] = [];

    await all(client.followJob('job-1', { onReconnect: (reconnect) => reconnects.push(reconnect) }));

    assert.deepEqual(
      reconnects.map(({ attempt }) => attempt),
      [1, 2],
    );
    assert.equal(reconnects[1]?.delayMs, 1_000);
    assert.equal((reconnects[1]?.error as GatewayError | undefined)?.code, 'rate_limited');
  });

  it('replace a connection that has fallen silent', async () => {
    const client = await clientFor(stream(event(1), 'stays open'), stream(event(2, 'COMPLETED')));

    const events = await all(client.followJob('job-1', { idleTimeoutMs: 50 }));

    assert.deepEqual(idsOf(events), [1, 2]);
  });

  it('replace it also after more silence than the time of trying', async () => {
    const client = await clientFor(stream(event(1), 'stays open'), stream(event(2, 'COMPLETED')));

    const events = await all(client.followJob('job-1', { idleTimeoutMs: 300, giveUpAfterMs: 200 }));

    assert.deepEqual(idsOf(events), [1, 2]);
  });

  it('throw an error that another attempt would repeat', async () => {
    const ended = json(401, {
      detail: 'The session has ended.',
      code: 'session_expired',
      request_id: 'req-1',
    });
    const client = await clientFor(stream(event(1), 'breaks'), ended);

    await assert.rejects(all(client.followJob('job-1')), {
      name: 'GatewayError',
      status: 401,
      code: 'session_expired',
      message: 'The session has ended.',
    });
  });

  it('throw the last error when the gateway cannot be reached for long', async () => {
    const client = await clientFor(stream(event(1), 'breaks'), unavailable);

    await assert.rejects(all(client.followJob('job-1', { giveUpAfterMs: 1_000 })), { code: 'unavailable' });
  });

  it('do not end because the machine has slept', async () => {
    const client = await clientFor(hangUp, hangUp, stream(event(1, 'COMPLETED')));
    const { now } = Date;
    let sleptMs = 0;
    const onReconnect = () => {
      sleptMs += 3_600_000;
    };

    try {
      Date.now = () => now() + sleptMs;
      const events = await all(client.followJob('job-1', { onReconnect, maxDelayMs: 20 }));

      assert.deepEqual(idsOf(events), [1]);
    } finally {
      Date.now = now;
    }
  });

  it('throw at once while the gateway is read-only', async () => {
    const readOnly = json(503, { detail: 'Maintenance.', code: 'read_only', request_id: 'req-1' });
    const client = await clientFor(readOnly, stream(event(1, 'COMPLETED')));

    await assert.rejects(all(client.createInstance(instance)), {
      code: 'read_only',
      message: 'Maintenance.',
    });
    assert.equal(server.seen.length, 1);
  });

  it('throw it, too, with a useless `Retry-After`', async () => {
    for (const retryAfter of ['soon', 'Tue, 02 Dec 2025 07:28:00 GMT']) {
      await server.stop();
      const client = await clientFor(stream(event(1), 'breaks'), (response) => {
        response.writeHead(503, { 'retry-after': retryAfter }).end();
      });

      await assert.rejects(all(client.followJob('job-1', { giveUpAfterMs: 1_000 })), { status: 503 });
      assert.ok(server.seen.length < 50, `${server.seen.length} requests`);
    }
  });

  it('end at once for a job whose last event is known', async () => {
    const client = await clientFor((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    });

    assert.deepEqual(await all(client.followJob('job-1', { lastEventId: 9 })), []);
  });

  it("end with the signal's reason, while reading and while waiting", async () => {
    const client = await clientFor(stream(event(1), 'stays open'));
    const reading = new AbortController();
    await assert.rejects(
      async () => {
        for await (const _ of client.followJob('job-1', { signal: reading.signal })) reading.abort();
      },
      { name: 'AbortError' },
    );

    const waiting = new AbortController();
    const events = client.followJob('job-2', {
      signal: waiting.signal,
      idleTimeoutMs: 20,
      onReconnect: () => waiting.abort(),
    });
    await assert.rejects(all(events), { name: 'AbortError' });
  });

  it('disconnect when the loop is left', async () => {
    let closed: Promise<unknown> | undefined;
    const client = await clientFor((response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      stream(event(1), 'stays open')(response);
    });

    for await (const _ of client.followJob('job-1')) break;

    assert.ok(closed);
    await closed;
  });
});

async function all<Message extends JobMessage>(events: JobEvents<Message>): Promise<JobEvent<Message>[]> {
  return Array.fromAsync(events);
}

function idsOf(events: { id: number }[]): number[] {
  return events.map(({ id }) => id);
}
