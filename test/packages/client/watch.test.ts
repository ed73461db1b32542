import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { GatewayClient, type ResourceChange, type WatchedList } from '../../../packages/client/src/index.ts';
import { listTypes } from '../../../packages/client/src/watch-list.ts';
import { hangUp, json, StreamServer, stream } from './stream-server.ts';

const unavailable = json(503, { detail: 'Not now.', code: 'unavailable', request_id: 'req-1' });

function named(name: 'ready' | 'reset', position: string): string {
  return `id: ${position}\nevent: ${name}\ndata: {"types":["volume"]}\n\n`;
}

function change(
  position: string,
  id = 'volume-1',
  what = 'updated',
  state: string | null = 'available',
): string {
  const data = { type: 'volume', id, change: what, state, job_id: null };
  return `id: ${position}\ndata: ${JSON.stringify(data)}\n\n`;
}

describe('what the client watches', () => {
  let server: StreamServer;

  beforeEach(() => {
    server = new StreamServer();
  });

  afterEach(() => server.stop());

  async function clientFor(...answers: Parameters<StreamServer['start']>): Promise<GatewayClient> {
    const url = await server.start(...answers);
    return new GatewayClient({ url, credentials: { token: 'token-1', projectId: 'project-1' } });
  }

  /** The next items of an endless loop. */
  async function take<Item>(items: AsyncGenerator<Item, void, void>, count: number): Promise<Item[]> {
    const taken: Item[] = [];
    for await (const item of items) if (taken.push(item) === count) break;
    return taken;
  }

  const lines = () => server.seen.map(({ line }) => line);

  it('begins with a reset, and resumes after the last event', async () => {
    const client = await clientFor(
      stream(named('ready', '1-0') + change('2-0'), 'breaks'),
      unavailable,
      hangUp,
      stream(': the server is shutting down, please reconnect\n\n'),
      stream(named('ready', '2-0') + change('3-0', 'volume-2'), 'breaks'),
      stream(named('reset', '9-0') + change('10-0'), 'stays open'),
    );

    const events = await take(client.watch({ types: ['volume'], maxDelayMs: 20 }), 5);

    assert.deepEqual(
      events.map(({ eventId, ...event }) => [eventId, event.change]),
      [
        ['1-0', 'reset'],
        ['2-0', 'updated'],
        ['3-0', 'updated'],
        ['9-0', 'reset'],
        ['10-0', 'updated'],
      ],
    );
    assert.deepEqual(new Set(lines()), new Set(['GET /api/events?types=volume']));
    assert.deepEqual(
      server.seen.map(({ headers }) => headers['last-event-id']),
      [undefined, '2-0', '2-0', '2-0', '2-0', '3-0'],
    );
  });

  it('has the fields of a change', async () => {
    const client = await clientFor(stream(named('ready', '1-0') + change('2-0'), 'stays open'));

    const [, event] = await take(client.watch(), 2);

    const expected = { type: 'volume', id: 'volume-1', change: 'updated', state: 'available', job_id: null };
    assert.deepEqual(event, { ...expected, eventId: '2-0' });
    assert.deepEqual(lines(), ['GET /api/events']);
  });

  it('continues after an event from before, with a ticket', async () => {
    const client = await clientFor(stream(named('ready', '7-0') + change('8-0'), 'stays open'));

    const [first] = await take(client.watch({ lastEventId: '7-0', ticket: async () => 'ticket-1' }), 1);

    assert.equal(first?.eventId, '8-0');
    assert.deepEqual(lines(), ['GET /api/events?ticket=ticket-1&last_event_id=7-0']);
    assert.equal(server.seen[0]?.headers['x-auth-token'], undefined);
  });

  it('throws when the session has ended', async () => {
    const ended = json(401, { detail: 'Over.', code: 'session_expired', request_id: 'req-1' });
    const client = await clientFor(stream(named('ready', '1-0'), 'breaks'), ended);

    await assert.rejects(take(client.watch({ maxDelayMs: 20 }), 2), { code: 'session_expired' });
  });

  it('gives a list, and the list again after changes, with one read', async () => {
    let open: ServerResponse | undefined;
    const client = await clientFor(
      (response) => {
        open = response;
        stream(named('ready', '1-0'), 'stays open')(response);
      },
      json(200, [{ id: 'volume-1' }]),
      unavailable,
      json(200, [{ id: 'volume-1' }, { id: 'volume-2' }]),
    );

    const lists: WatchedList<'GET /api/volumes'>[] = [];
    for await (const list of client.watchList('GET /api/volumes')) {
      if (lists.push(list) === 2) break;
      open?.write(change('2-0') + change('3-0', 'volume-2', 'created'));
    }

    const ids = (changes: ResourceChange[]) => changes.map(({ id }) => id);
    assert.deepEqual(
      lists.map(({ rows, changes }) => [rows.map(({ id }) => id), ids(changes)]),
      [
        [['volume-1'], []],
        [
          ['volume-1', 'volume-2'],
          ['volume-1', 'volume-2'],
        ],
      ],
    );
    const list = 'GET /api/volumes';
    assert.deepEqual(lines(), ['GET /api/events?types=volume', list, list, list]);
  });

  it('disconnects when the loop over a list is left', async () => {
    let closed: Promise<unknown> | undefined;
    const client = await clientFor(
      (response) => {
        closed = once(response, 'close');
        stream(named('ready', '1-0'), 'stays open')(response);
      },
      json(200, []),
    );

    for await (const { rows } of client.watchList('GET /api/volumes')) {
      assert.deepEqual(rows, []);
      break;
    }

    await closed;
  });

  it('knows the type of each list', () => {
    const declared = endpoints.flatMap(({ method, path, watched }) =>
      watched === undefined ? [] : [[`${method} ${path}`, watched]],
    );

    assert.deepEqual(new Map(Object.entries(listTypes)), new Map(declared as [string, string][]));
  });
});
