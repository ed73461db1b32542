import { connect } from 'node:net';
import { handleCommands } from './helper-process.ts';
import { nowMicroseconds, type ReaderCommand, type ReaderResult, TIME_MARK } from './messages.ts';

/**
 * Simulates the clients. To use little of the shared machine, they are raw connections with one common
 * buffer, and parse only the times of events.
 */
const OPENING_AT_ONCE = 50;
const TIMEOUT_MS = 30_000;
const BUFFER_BYTES = 65_536;
const DIGIT_ZERO = 48;
const DIGIT_NINE = 57;

const mark = Buffer.from(TIME_MARK);
const shared = Buffer.alloc(BUFFER_BYTES);
let latencies: number[] = [];
let wanted = Number.POSITIVE_INFINITY;
let enough: () => void = () => {};

handleCommands<ReaderCommand, ReaderResult>(async (order) => {
  if (order.kind === 'await') return { kind: 'received', ...(await received(order.events)) };
  const { port, requests } = order;
  const waiting = [...requests];
  const openSome = async (): Promise<void> => {
    for (let request = waiting.pop(); request !== undefined; request = waiting.pop()) {
      const { headers, path } = request;
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      await openStream(port, `GET ${path} HTTP/1.1\r\nhost: bench\r\n${fields.join('')}\r\n`);
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openSome));
  return { kind: 'opened' };
});

/** Resolves when the first bytes of the stream have arrived. */
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

/** Records latencies. An event arrives in one piece, because it is much smaller than a read. */
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

/** The latencies of `events` events; resolves when all have arrived. */
async function received(events: number): Promise<{ p50: number; p99: number; max: number }> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      throw new Error(`${latencies.length} of ${events} events have come.`);
    }, TIMEOUT_MS);
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
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
