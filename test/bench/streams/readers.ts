import { connect } from 'node:net';
import { obey } from './order-taker.ts';
import { nowMicroseconds, type ReaderAnswer, type ReaderOrder, TIME_MARK } from './orders.ts';

/**
 * Stands for the clients. They share the machine with what is measured, so they do the least: raw connections
 * with one buffer for all, in which nothing but the times of events is looked for.
 */
const OPENING_AT_ONCE = 50;
const PATIENCE_MS = 30_000;
const BUFFER_BYTES = 65_536;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

const mark = Buffer.from(TIME_MARK);
const shared = Buffer.alloc(BUFFER_BYTES);
let latencies: number[] = [];
let wanted = Number.POSITIVE_INFINITY;
let enough: () => void = () => {};

obey<ReaderOrder, ReaderAnswer>(async (order) => {
  if (order.kind === 'await') return { kind: 'received', ...(await received(order.events)) };
  const { port, headers, paths } = order;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const waiting = [...paths];
  const openSome = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      await openStream(port, `GET ${path} HTTP/1.1\r\nhost: bench\r\n${fields.join('')}\r\n`);
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openSome));
  return { kind: 'opened' };
});

/** Resolves when the first thing that is sent has come: the stream is open. */
function openStream(port: number, request: string): Promise<void> {
  return new Promise((resolve) => {
    let head = '';
    let isOpen = false;
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: shared,
        callback(bytes) {
          if (isOpen) {
            note(bytes);
            return true;
          }
          head += shared.toString('latin1', 0, bytes);
          if (!head.startsWith('HTTP/1.1 200')) throw new Error(`A stream was refused: ${head}`);
          isOpen = head.includes('retry:');
          if (isOpen) resolve();
          return true;
        },
      },
    });
    socket.on('close', () => {
      throw new Error('A stream was closed.');
    });
    socket.write(request);
  });
}

/** An event comes in one piece: it is far smaller than what a connection takes at once. */
function note(bytes: number): void {
  const now = nowMicroseconds();
  for (let at = shared.indexOf(mark); at !== -1 && at < bytes; at = shared.indexOf(mark, at)) {
    at += mark.length;
    let written = 0;
    for (let digit = shared[at] ?? 0; digit >= DIGIT_ZERO && digit <= DIGIT_NINE; digit = shared[++at] ?? 0) {
      written = written * 10 + digit - DIGIT_ZERO;
    }
    latencies.push((now - written) / 1000);
  }
  if (latencies.length >= wanted) enough();
}

/** Of this many events, once they have all come. */
async function received(events: number): Promise<{ p50: number; p99: number; most: number }> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      throw new Error(`${latencies.length} of ${events} events have come.`);
    }, PATIENCE_MS);
    enough = () => {
      clearTimeout(timer);
      resolve();
    };
    wanted = events;
    if (latencies.length >= wanted) enough();
  });
  const sorted = latencies.sort((a, b) => a - b);
  if (sorted.length !== events) throw new Error(`${sorted.length} events have come instead of ${events}.`);
  latencies = [];
  wanted = Number.POSITIVE_INFINITY;
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
