import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { GatewayError } from '@gateway/core';
import { type EventListener, type JobEvent, jobKeys, ProgressRelay, type Subscription } from '@gateway/jobs';
import { StreamLimits } from '../../../apps/api/src/http/limits/stream-limits.ts';
import { assignRequestId } from '../../../apps/api/src/http/request/request-logging.ts';
import type { GatewayResponse } from '../../../apps/api/src/http/response/gateway-response.ts';
import { EventStream } from '../../../apps/api/src/http/streams/event-stream.ts';
import { EventStreams, JobStream } from '../../../apps/api/src/http/streams/event-streams.ts';
import { listenLocally, portOf, stopListening } from '../../support/doubles/local-server.ts';
import { eventually } from '../../support/eventually.ts';
import { TestStore } from '../../support/redis/test-redis.ts';

const HOUR_MS = 3_600_000;

/** A fake relay: records the calls of a stream, and sends events on request. */
class HandRelay {
  readonly listeners: EventListener<JobEvent>[] = [];
  readonly asked: string[] = [];

  subscribe(jobId: string, afterSeq: number, listener: EventListener<JobEvent>): Subscription {
    this.listeners.push(listener);
    const ask = (what: string) => () => {
      this.asked.push(what);
    };
    ask(`subscribe ${jobId} ${afterSeq}`)();
    return { pause: ask('pause'), resume: ask('resume'), close: ask('close') };
  }
}

class StreamCount {
  open = 0;
  total = 0;
  streamOpened = (): void => {
    this.open += 1;
    this.total += 1;
  };
  streamClosed = (): void => {
    this.open -= 1;
  };
}

/** A server whose responses the test writes. */
async function serve(answer: (response: GatewayResponse) => void): Promise<Server> {
  const server = createServer((request, response) => answer(assignRequestId(request, response)));
  await listenLocally(server);
  return server;
}

describe('open event streams', () => {
  const closing: (() => unknown)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  function openStreams(relay: Pick<ProgressRelay, 'subscribe'>, heartbeatMs = HOUR_MS) {
    const metrics = new StreamCount();
    const streams = new EventStreams({ relay, metrics, heartbeatMs });
    closing.push(() => streams.close());
    return { metrics, streams };
  }

  /** Requests a stream without reading it. */
  async function ask(
    answer: (response: GatewayResponse) => void,
  ): Promise<{ socket: Socket; response: GatewayResponse }> {
    const { promise, resolve } = Promise.withResolvers<GatewayResponse>();
    const server = await serve((response) => {
      answer(response);
      resolve(response);
    });
    const socket = connect(portOf(server), '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
    closing.push(() => {
      socket.destroy();
      return stopListening(server);
    });
    return { socket, response: await promise };
  }

  /** Sends events until the connection accepts no more, even after several iterations of the event loop. */
  async function fill(stream: Pick<EventStream, 'send'>, response: GatewayResponse): Promise<void> {
    const data = 'x'.repeat(1_000_000);
    let seq = 0;
    for (let turns = 0; turns < 10; turns += 1) {
      while (!response.writableNeedDrain) {
        stream.send({ seq: ++seq, data, last: false });
        turns = 0;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('buffer little for a slow reader, and deliver all events', async () => {
    const store = new TestStore();
    closing.push(() => store.close());
    const redis = await store.connect();
    const relay = new ProgressRelay(redis.store, redis.blocking('relay'));
    relay.start();
    closing.push(() => relay.close());
    const count = 400;
    const eventBytes = 50_000;
    const data = 'x'.repeat(eventBytes);
    const entries = Array.from({ length: count }, (_, index) => `${index + 1 === count ? '!' : '.'}${data}`);
    await redis.store.rpush(jobKeys.log('long'), ...entries);
    const { streams } = openStreams(relay);

    let most = 0;
    const { socket, response } = await ask((answer) => {
      const write = answer.write.bind(answer);
      answer.write = ((text: string) => {
        const takesMore = write(text);
        most = Math.max(most, answer.writableLength);
        return takesMore;
      }) as GatewayResponse['write'];
      streams.send(answer, new JobStream('long'));
    });
    await eventually(async () => response.writableNeedDrain);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.resume();
    await once(response, 'close');
    await eventually(async () => text.endsWith('0\r\n\r\n'));

    const ids = [...text.matchAll(/id: (\d+)\n/g)].map(([, id]) => Number(id));
    assert.deepEqual(
      ids,
      Array.from({ length: count }, (_, index) => index + 1),
    );
    const limit = response.writableHighWaterMark + 2 * eventBytes;
    assert.ok(most <= limit, `${most} bytes were held for one reader`);
  });

  it('pause while their reader is slow, and resume afterwards', async () => {
    const relay = new HandRelay();
    const { streams } = openStreams(relay);
    const { socket, response } = await ask((answer) =>
      streams.send(answer, new JobStream('j', { afterSeq: 7 })),
    );
    const [listener] = relay.listeners;
    assert.ok(listener);
    await fill({ send: (event) => listener.onEvent(event) }, response);
    assert.equal(relay.asked.at(-1), 'pause');
    const asked = relay.asked.length;

    socket.resume();
    await once(response, 'drain');

    assert.deepEqual(relay.asked.slice(asked), ['resume']);
    assert.equal(relay.asked[0], 'subscribe j 7');
  });

  it('close, at the second heartbeat, for a reader that receives nothing', async () => {
    const { response } = await ask(() => {});
    const stream = new EventStream(response);
    await fill(stream, response);

    stream.sendHeartbeat();
    assert.equal(response.destroyed, false);
    stream.sendHeartbeat();

    assert.equal(response.destroyed, true);
  });

  it('stay open for a slow reader that eventually receives everything', async () => {
    const { socket, response } = await ask(() => {});
    const stream = new EventStream(response);
    await fill(stream, response);
    stream.sendHeartbeat();
    socket.resume();
    await once(response, 'drain');
    socket.pause();
    await fill(stream, response);

    stream.sendHeartbeat();

    assert.equal(response.destroyed, false);
  });

  it('end at shutdown without waiting for a slow reader', async () => {
    const { response } = await ask(() => {});
    const stream = new EventStream(response);
    await fill(stream, response);

    stream.closeForShutdown();

    assert.equal(response.destroyed, true);
  });

  it('send nothing after the last event, even before it is received', async () => {
    const { response } = await ask(() => {});
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    const stream = new EventStream(response);
    await fill(stream, response);
    stream.send({ seq: 100, data: '{}', last: true });

    stream.sendHeartbeat();
    stream.closeForShutdown();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([errors, response.destroyed], [[], false]);
    stream.sendHeartbeat();

    assert.equal(response.destroyed, true);
  });

  it('get no event after their end, whoever has not read it yet', async () => {
    const endings = [
      (stream: EventStream) => stream.end('the session has ended'),
      (stream: EventStream) => stream.closeForShutdown(),
    ];
    for (const end of endings) {
      const { response } = await ask(() => {});
      const errors: unknown[] = [];
      response.on('error', (error) => errors.push(error));
      const stream = new EventStream(response);
      const asked: string[] = [];
      const noted = (what: string) => () => void asked.push(what);
      stream.attach({ pause: noted('pause'), resume: noted('resume'), close: noted('close') });

      end(stream);
      assert.deepEqual(asked, ['close']);
      stream.sendText('data: {}\n\n');
      await new Promise((resolve) => setImmediate(resolve));

      assert.deepEqual(errors, []);
    }
  });

  it("release a slow reader's slot at disconnection, heartbeat or shutdown", async () => {
    const limits = new StreamLimits({ streamsPerUser: 1, streamsPerProcess: 1 });
    const endings = [
      (stream: EventStream) => {
        stream.sendHeartbeat();
        stream.sendHeartbeat();
      },
      (stream: EventStream) => stream.closeForShutdown(),
    ];
    for (const end of endings) {
      const { response } = await ask(() => {});
      limits.count(response, 'u-1');
      const stream = new EventStream(response);
      await fill(stream, response);
      assert.throws(() => limits.count(response, 'u-1'), GatewayError);

      end(stream);
      await once(response, 'close');
    }

    const { response } = await ask(() => {});
    limits.count(response, 'u-1');
  });

  it('are not counted for a caller who has disconnected', async () => {
    const limits = new StreamLimits({ streamsPerUser: 1, streamsPerProcess: 1 });
    const { socket, response } = await ask(() => {});
    socket.destroy();
    await once(response, 'close');

    limits.count(response, 'u-1');

    limits.count((await ask(() => {})).response, 'u-1');
  });

  it('are not opened for a caller who disconnected before the response started', async () => {
    const relay = new HandRelay();
    const { metrics, streams } = openStreams(relay);
    const { socket, response } = await ask(() => {});
    socket.destroy();
    await once(response, 'close');

    streams.send(response, new JobStream('j'));

    assert.deepEqual([relay.asked, metrics.total], [[], 0]);
  });

  it('leave the relay and the count when their reader disconnects', async () => {
    const relay = new HandRelay();
    const { metrics, streams } = openStreams(relay);
    const { socket, response } = await ask((answer) => streams.send(answer, new JobStream('j')));
    assert.equal(metrics.open, 1);

    socket.destroy();
    await once(response, 'close');

    assert.deepEqual([relay.asked, metrics.open], [['subscribe j 0', 'close'], 0]);
  });

  it('disconnect if the log cannot be read, so that the reader reconnects', async () => {
    const relay = new HandRelay();
    const { metrics, streams } = openStreams(relay);
    const { response } = await ask((answer) => streams.send(answer, new JobStream('j')));

    relay.listeners[0]?.onError(new Error('broken'));
    await once(response, 'close');

    assert.deepEqual([response.writableFinished, metrics.open], [false, 0]);
  });

  it('spread their heartbeats over the interval', async () => {
    const relay = new HandRelay();
    const { streams } = openStreams(relay, 320);
    const count = 64;
    let atOnce = 0;
    let most = 0;
    const beats = new Map<GatewayResponse, number>();
    const server = await serve((answer) => {
      const write = answer.write.bind(answer);
      answer.write = ((text: string) => {
        if (text.startsWith(':')) {
          beats.set(answer, (beats.get(answer) ?? 0) + 1);
          most = Math.max(most, ++atOnce);
          setImmediate(() => {
            atOnce = 0;
          });
        }
        return write(text);
      }) as GatewayResponse['write'];
      streams.send(answer, new JobStream('j'));
    });
    const port = portOf(server);
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(port, '127.0.0.1').resume();
      socket.write('GET / HTTP/1.1\r\nhost: gateway\r\n\r\n');
      return socket;
    });
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      return stopListening(server);
    });

    await eventually(async () => beats.size === count && Math.min(...beats.values()) >= 2);

    assert.ok(most <= count / 16, `${most} heartbeats went out at once`);
  });
});
