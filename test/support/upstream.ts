import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';

const folder = join(import.meta.dirname, '../fixtures/openstack');

/** One answer of a real cloud, as scripts/record-fixtures wrote it. */
export interface Fixture {
  request: { method: string; origin: string; path: string };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

/** By service and name, as `compute/servers`. */
export function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Fixture;
}

/** The body of a fixture, within its envelope when that is named: `fixtureBody('compute/servers', 'servers')`. */
export function fixtureBody<T>(name: string, envelope?: string): T {
  const { body } = fixture(name).response;
  return (envelope === undefined ? body : (body as Record<string, unknown>)[envelope]) as T;
}

/** What differs from the fixture. */
export interface ReplyOptions {
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Calls answered in this way; 1 unless told. */
  times?: number;
  /** Headers that the request must have. */
  requestHeaders?: Record<string, string>;
  /** What the body of the request must be, as JSON. */
  requestBody?: nock.RequestBodyMatcher;
  /** The answer comes this much later. */
  delayMs?: number;
  /** The connection breaks with this code instead of an answer. */
  fault?: string;
}

/** A call that was made, in the order of their coming. */
export interface SeenCall {
  method: string;
  origin: string;
  path: string;
  headers: Record<string, string>;
}

export interface Upstream {
  /** Declares a call: where the fixture was recorded, answered as it was then, save for `options`. */
  reply(name: string, options?: ReplyOptions): Upstream;
  /** The declared calls that came. */
  readonly calls: SeenCall[];
  /** Fails when a declared call did not come, or one came that was not declared, and says which. */
  assertAllUsed(): void;
  /** Takes all declarations away. To be called after each test. */
  close(): void;
}

/**
 * Stands for the cloud: every call must be declared, and be made. Nothing else is let through but hosts that `passes`
 * admits (`127.0.0.1:<port>`), for tests that call the gateway itself.
 */
export function mockUpstream(passes: (host: string) => boolean = () => false): Upstream {
  const calls: SeenCall[] = [];
  const undeclared: string[] = [];
  nock.cleanAll();
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.enableNetConnect(passes);

  function onNoMatch(asked: Request) {
    const url = new URL(asked.url);
    if (!passes(url.host)) undeclared.push(`${asked.method} ${asked.url}`);
  }
  nock.emitter.on('no match', onNoMatch);

  const upstream: Upstream = {
    calls,
    reply(name, options = {}) {
      const { request, response } = fixture(name);
      const scope = nock(request.origin, { reqheaders: options.requestHeaders ?? {} });
      const wanted = scope
        .intercept(options.path ?? request.path, options.method ?? request.method, options.requestBody)
        .times(options.times ?? 1)
        .delay(options.delayMs ?? 0);
      if (options.fault !== undefined) {
        wanted.replyWithError(Object.assign(new Error(options.fault), { code: options.fault }));
        return upstream;
      }
      wanted.reply((asked: Request) => {
        const url = new URL(asked.url);
        calls.push({
          method: asked.method,
          origin: url.origin,
          path: url.pathname + url.search,
          headers: Object.fromEntries(asked.headers),
        });
        const body = 'body' in options ? options.body : response.body;
        return [
          options.status ?? response.status,
          body as nock.ReplyBody,
          { ...response.headers, ...options.headers },
        ];
      });
      return upstream;
    },
    assertAllUsed() {
      assert.deepEqual(
        undeclared,
        [],
        'Calls were made that the test does not declare; add reply() for them',
      );
      assert.deepEqual(nock.pendingMocks(), [], 'Calls are declared that were not made');
    },
    close() {
      nock.emitter.off('no match', onNoMatch);
      nock.abortPendingRequests();
      nock.cleanAll();
      nock.enableNetConnect();
      nock.restore();
    },
  };
  return upstream;
}
