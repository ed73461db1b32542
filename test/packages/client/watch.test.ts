import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { GatewayClient, type ResourceChange, type WatchedList } from '../../../packages/client/src/index.ts';
import { listTypes } from '../../../packages/client/src/watch-list.ts';
import { eventually } from '../../support/eventually.ts';
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

/** The lists are empty, and each stream of changes begins and stays open. */
class ListServer {
  readonly streams: ServerResponse[] = [];
  #position = 0;

  readonly answer = (response: ServerResponse): void => {
    if (!response.req.url?.startsWith('/api/events')) {
      json(200, [])(response);
      return;
    }
    this.streams.push(response);
    stream(this.#event('ready', { types: typesOf(response) }), 'stays open')(response);
  };

  /** The types of the streams that were opened, in their order. */
  get types(): string[][] {
    return this.streams.map(typesOf);
  }

  /** Waits until the client has left so many streams. */
  async ended(count: number): Promise<void> {
    await eventually(async () => {
      return this.streams.filter(({ destroyed }) => destroyed).length === count;
    });
  }

  send(fields: object): void {
    this.streams.at(-1)?.write(this.#event(null, fields));
  }

  #event(name: string | null, fields: object): string {
    this.#position += 1;
    const named = name === null ? '' : `event: ${name}\n`;
    return `id: ${this.#position}-0\n${named}data: ${JSON.stringify(fields)}\n\n`;
  }
}

function typesOf({ req }: ServerResponse): string[] {
  return new URL(req.url ?? '', 'http://gateway').searchParams.get('types')?.split(',') ?? [];
}

const updated = (type: string, id: string) => ({ type, id, change: 'updated', state: null, job_id: null });

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

  /** Longer than a test waits: its streams end only with the loops. */
  const idleTimeoutMs = 600_000;

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

  it('disconnects also when a change has come before the loop is left', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const other = client.watch({ types: ['volume'], idleTimeoutMs });
    await other.next();

    for await (const _list of client.watchList('GET /api/volumes', {}, { idleTimeoutMs })) {
      lists.send(updated('volume', 'volume-1'));
      await other.next();
      break;
    }
    await other.return();

    await lists.ended(1);
  });

  it('disconnects also when a change has come before a read fails', async () => {
    const lists = new ListServer();
    const missing = json(404, { detail: 'No.', code: 'not_found', request_id: 'req-1' });
    const client = await clientFor((response) => {
      if (response.req.url !== '/api/volumes') return lists.answer(response);
      lists.send(updated('volume', 'volume-1'));
      setTimeout(() => missing(response), 20);
    });

    const volumes = client.watchList('GET /api/volumes', {}, { idleTimeoutMs });
    await assert.rejects(volumes.next(), { code: 'not_found' });

    await lists.ended(1);
  });

  it('stays in its project after a switch', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const volumes = client.watchList('GET /api/volumes');
    await volumes.next();

    client.credentials = { token: 'token-2', projectId: 'project-2' };
    const images = client.watchList('GET /api/images');
    await images.next();
    lists.streams[0]?.write(change('9-0'));
    await volumes.next();

    assert.deepEqual(
      server.seen.map(({ line, headers }) => [line, headers['x-project-id']]),
      [
        ['GET /api/events?types=volume', 'project-1'],
        ['GET /api/volumes', 'project-1'],
        ['GET /api/events?types=image', 'project-2'],
        ['GET /api/images', 'project-2'],
        ['GET /api/volumes', 'project-1'],
      ],
    );
    await Promise.all([volumes.return(), images.return()]);
  });

  it('comes to all lists over one connection', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const volumes = client.watchList('GET /api/volumes');
    const images = client.watchList('GET /api/images');
    const jobs = client.watchList('GET /api/jobs');
    await Promise.all([volumes.next(), images.next(), jobs.next()]);

    lists.send(updated('image', 'image-1'));
    const { value } = await images.next();

    assert.deepEqual(lists.types, [['image', 'job', 'volume']]);
    assert.deepEqual(
      value?.changes.map(({ id }) => id),
      ['image-1'],
    );
    const reads = lines().filter((line) => line === 'GET /api/volumes');
    assert.equal(reads.length, 1, 'another list is not read again');
    await Promise.all([volumes, images, jobs].map((list) => list.return()));
    await lists.ended(1);
  });

  it('continues for all when a list of another type begins', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const volumes = client.watchList('GET /api/volumes');
    await volumes.next();

    const images = client.watchList('GET /api/images');
    await images.next();
    lists.send(updated('volume', 'volume-1'));
    lists.send(updated('image', 'image-1'));
    const both = await Promise.all([volumes.next(), images.next()]);

    assert.deepEqual(lists.types, [['volume'], ['image', 'volume']]);
    const [, later] = server.seen.filter(({ line }) => line.startsWith('GET /api/events'));
    assert.equal(later?.headers['last-event-id'], '1-0');
    assert.deepEqual(
      both.map(({ value }) => value?.changes.map(({ id }) => id)),
      [['volume-1'], ['image-1']],
    );
    await Promise.all([volumes.return(), images.return()]);
  });

  it('has lists of known types without another connection', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const first = client.watchList('GET /api/volumes');
    await first.next();

    const second = client.watchList('GET /api/volumes');
    await second.next();
    await first.return();
    lists.send(updated('volume', 'volume-1'));
    const { value } = await second.next();

    assert.equal(value?.changes.length, 1);
    assert.equal(lists.streams.length, 1);
    await second.return();
  });

  it('begins with the connection for all, also after earlier lists', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    await take(client.watchList('GET /api/volumes'), 1);
    await lists.ended(1);

    const begun = [client.watch({ types: ['volume'] }), client.watch({ types: ['volume'] })];
    const resets = await Promise.all(begun.map((each) => each.next()));

    assert.deepEqual(
      resets.map(({ value }) => value?.eventId),
      ['2-0', '2-0'],
    );
    await Promise.all(begun.map((each) => each.return()));
  });

  it('ends for one reader whose function throws, not for others', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const onReconnect = () => {
      throw new Error('The page is broken.');
    };
    const broken = client.watchList('GET /api/volumes', {}, { onReconnect });
    const other = client.watchList('GET /api/volumes');
    await Promise.all([broken.next(), other.next()]);

    lists.streams[0]?.destroy();

    await assert.rejects(broken.next(), { message: 'The page is broken.' });
    await eventually(async () => lists.streams.length === 2);
    lists.send(updated('volume', 'volume-1'));
    const { value } = await other.next();
    assert.equal(value?.changes.length, 1);
    await other.return();
  });

  it('ends for all with the session, and begins anew after a log-in', async () => {
    const ended = json(401, { detail: 'Over.', code: 'session_expired', request_id: 'req-1' });
    const lists = new ListServer();
    const client = await clientFor(ended, ended, lists.answer);

    await assert.rejects(client.watch({ types: ['volume'] }).next(), { code: 'session_expired' });
    const volumes = client.watch({ types: ['volume'] });
    const images = client.watch({ types: ['image'] });
    await Promise.all(
      [volumes, images].map((each) => assert.rejects(each.next(), { code: 'session_expired' })),
    );

    const [reset] = await take(client.watch({ types: ['volume'] }), 1);
    assert.equal(reset?.change, 'reset');
    assert.equal(server.seen.length, 3);
  });

  it('reads the parts of a load balancer again when it has changed', async () => {
    const lists = new ListServer();
    const client = await clientFor(lists.answer);
    const path = { lb_id: 'balancer-1', pool_id: 'pool-1' };
    const pools = client.watchList('GET /api/loadbalancers/{lb_id}/pools', { path });
    const members = client.watchList('GET /api/loadbalancers/{lb_id}/pools/{pool_id}/members', { path });
    await Promise.all([pools.next(), members.next()]);

    lists.send(updated('load_balancer', 'balancer-2'));
    lists.send(updated('load_balancer', 'balancer-1'));
    const both = await Promise.all([pools.next(), members.next()]);

    assert.deepEqual(lists.types, [['load_balancer']]);
    for (const { value } of both)
      assert.deepEqual(
        value?.changes.map(({ id }) => id),
        ['balancer-1'],
      );
    await Promise.all([pools.return(), members.return()]);
  });

  describe('on a page of a browser', () => {
    const page = Object.assign(new EventTarget(), { hidden: false });
    const show = (isShown: boolean) => {
      page.hidden = !isShown;
      page.dispatchEvent(new Event('visibilitychange'));
    };

    beforeEach(() => {
      page.hidden = false;
      Object.assign(globalThis, { document: page });
    });

    afterEach(() => {
      Reflect.deleteProperty(globalThis, 'document');
    });

    it('pauses while the page is hidden, and catches up', async () => {
      const lists = new ListServer();
      const url = await server.start(lists.answer);
      const client = new GatewayClient({ url, hiddenTimeoutMs: 500 });
      const volumes = client.watchList('GET /api/volumes');
      await volumes.next();
      show(false);
      await lists.ended(1);
      const images = client.watchList('GET /api/images');
      await images.next();
      await lists.ended(2);

      show(true);
      await eventually(async () => lists.streams.length === 3);
      lists.send(updated('volume', 'volume-1'));
      const { value } = await volumes.next();

      assert.equal(value?.changes.length, 1);
      const positions = server.seen.map(({ headers }) => headers['last-event-id']);
      assert.deepEqual(
        positions.filter((position) => position !== undefined),
        ['1-0', '2-0'],
      );
      await Promise.all([volumes.return(), images.return()]);
      await lists.ended(3);
      assert.equal(getEventListeners(page, 'visibilitychange').length, 0);
    });

    it('continues while the page is hidden for less than months', async () => {
      const lists = new ListServer();
      const url = await server.start(lists.answer);
      const client = new GatewayClient({ url, hiddenTimeoutMs: 60 * 24 * 3_600_000 });
      const volumes = client.watchList('GET /api/volumes');
      await volumes.next();
      show(false);

      lists.send(updated('volume', 'volume-1'));
      const { value } = await volumes.next();

      assert.equal(value?.changes.length, 1);
      assert.equal(lists.streams.length, 1);
      await volumes.return();
    });

    it('ends while the page is hidden', async () => {
      const lists = new ListServer();
      const url = await server.start(lists.answer);
      const client = new GatewayClient({ url, hiddenTimeoutMs: 200 });
      const volumes = client.watchList('GET /api/volumes');
      await volumes.next();
      show(false);
      await lists.ended(1);

      await volumes.return();
      show(true);
      await take(client.watchList('GET /api/volumes'), 1);

      assert.equal(lists.streams.length, 2);
    });
  });

  it('tries again when a connection or a read is not answered', async () => {
    const lists = new ListServer();
    let silent = 2;
    const client = await clientFor((response) => {
      const isRead = response.req.url === '/api/volumes';
      if (silent === (isRead ? 1 : 2)) silent -= 1;
      else lists.answer(response);
    });

    const options = { idleTimeoutMs: 100, maxDelayMs: 20 };
    const [first] = await take(client.watchList('GET /api/volumes', {}, options), 1);

    assert.deepEqual(first?.rows, []);
    assert.equal(lines()[1], lines()[0], 'the first connection is replaced');
    const reads = lines().filter((line) => line === 'GET /api/volumes');
    assert.ok(reads.length >= 2, 'the first read is repeated');
  });

  it('reads a list without a limit of time, too', async () => {
    const client = await clientFor(new ListServer().answer);

    const options = { idleTimeoutMs: Number.POSITIVE_INFINITY, maxDelayMs: 20 };
    const [first] = await take(client.watchList('GET /api/volumes', {}, options), 1);

    assert.deepEqual(first?.rows, []);
  });

  it('knows the type of each list', () => {
    const declared = endpoints.flatMap(({ changesWith, method, path, watched = changesWith }) =>
      watched === undefined ? [] : [[`${method} ${path.replace(/:(\w+)/g, '{$1}')}`, watched]],
    );

    assert.deepEqual(new Map(Object.entries(listTypes)), new Map(declared as [string, string][]));
  });
});
