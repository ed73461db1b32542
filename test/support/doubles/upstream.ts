import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';

// The import alone intercepts all connections of the process, also those of suites without an upstream.
nock.restore();

const folder = join(import.meta.dirname, '../../fixtures/openstack');

/** A response of a real cloud, recorded by scripts/record-fixtures. */
interface Fixture {
  request: { method: string; origin: string; path: string };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

const texts = new Map<string, string>();

/** Reads a fixture by service and name, such as `compute/servers`. */
export function fixture(name: string): Fixture {
  const text = texts.get(name) ?? readFileSync(join(folder, `${name}.json`), 'utf8');
  texts.set(name, text);
  return JSON.parse(text) as Fixture;
}

/** The body of a fixture, or the content of its envelope: `fixtureBody('compute/servers', 'servers')`. */
export function fixtureBody<T>(name: string, envelope?: string): T {
  const { body } = fixture(name).response;
  return (envelope === undefined ? body : (body as Record<string, unknown>)[envelope]) as T;
}

/** Differences from the fixture. */
export interface ReplyOptions {
  method?: string;
  path?: string | RegExp;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The number of calls with this response; 1 by default. */
  times?: number;
  /** The calls need not be made. */
  optional?: boolean;
  /** Headers that the request must have. */
  requestHeaders?: Record<string, string>;
  /** The JSON body that the request must have. */
  requestBody?: nock.RequestBodyMatcher;
  /** Delays the response. */
  delayMs?: number;
  /** Fails the connection with this error code instead of a response. */
  fault?: string;
}

/** The response to a call without a declared response. The call is neither required nor recorded. */
export interface SpareReply {
  origin: string;
  path: RegExp;
  body: object;
}

/** A received call. */
interface ReceivedCall {
  method: string;
  origin: string;
  path: string;
  headers: Record<string, string>;
}

export interface Upstream {
  /** Declares a call and its response: those of the fixture, except for `options`. */
  reply(name: string, options?: ReplyOptions): Upstream;
  /** The declared calls received, in order. */
  readonly calls: ReceivedCall[];
  /** @throws when a declared call was not made, or an undeclared call was made. */
  assertAllUsed(): void;
  /** Removes all declarations. Call after each test. */
  close(): void;
}

/**
 * Replaces the cloud: all calls must be declared, and all declared calls must be made. `allowHost` allows
 * real connections to a host (`127.0.0.1:<port>`), for tests that call the gateway.
 */
export function mockUpstream(
  allowHost: (host: string) => boolean = () => false,
  spareReplies: readonly SpareReply[] = [],
): Upstream {
  const calls: ReceivedCall[] = [];
  const undeclared: string[] = [];
  nock.cleanAll();
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.enableNetConnect(allowHost);

  function onNoMatch(request: Request) {
    const url = new URL(request.url);
    if (!allowHost(url.host)) undeclared.push(`${request.method} ${request.url}`);
  }
  nock.emitter.on('no match', onNoMatch);

  const spare: nock.Interceptor[] = [];

  /** The first response that fits a call is used. */
  function putSpareRepliesLast() {
    for (const interceptor of spare.splice(0)) nock.removeInterceptor(interceptor);
    for (const { origin, path, body } of spareReplies) {
      const interceptor = nock(origin).get(path).times(Number.MAX_SAFE_INTEGER).optionally();
      interceptor.reply(200, body as nock.ReplyBody);
      spare.push(interceptor);
    }
  }
  putSpareRepliesLast();

  const upstream: Upstream = {
    calls,
    reply(name, options = {}) {
      const recorded = fixture(name);
      const scope = nock(recorded.request.origin, { reqheaders: options.requestHeaders ?? {} });
      const interceptor = scope
        .intercept(
          options.path ?? recorded.request.path,
          options.method ?? recorded.request.method,
          options.requestBody,
        )
        .times(options.times ?? 1)
        .optionally(options.optional === true)
        .delay(options.delayMs ?? 0);
      if (options.fault !== undefined) {
        interceptor.replyWithError(Object.assign(new Error(options.fault), { code: options.fault }));
        putSpareRepliesLast();
        return upstream;
      }
      interceptor.reply((request: Request) => {
        const url = new URL(request.url);
        calls.push({
          method: request.method,
          origin: url.origin,
          path: url.pathname + url.search,
          headers: Object.fromEntries(request.headers),
        });
        const body = 'body' in options ? options.body : recorded.response.body;
        return [
          options.status ?? recorded.response.status,
          body as nock.ReplyBody,
          { ...recorded.response.headers, ...options.headers },
        ];
      });
      putSpareRepliesLast();
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
