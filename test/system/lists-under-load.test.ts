import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Stack } from '../../scripts/stack.ts';
import { openGate, type RedisGate } from '../packages/store/redis-gate.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const READERS = 200;
/** TEST_SECONDS=60 finds rarer races. */
const SECONDS = Number(process.env.TEST_SECONDS ?? 6);
/** Also compresses a list that is short. */
const ACCEPTED = ['identity', 'gzip', 'br, identity;q=0', 'zstd, identity;q=0'];
/** Between two reads of one reader. */
const PAUSE_MS = 100;
const MIN_WRITES = 4;
/** The number of reads of each process before the next write, so that the process has cached the list. */
const READS_BETWEEN_WRITES = 100;
/** Long enough that many requests arrive while a read of the cache is on its way. */
const REPLY_DELAY_MS = 60;
const LIST = '/api/security-groups';

function decode(body: Buffer, encoding = 'identity'): string {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  };
  return (decoders[encoding]?.(body) ?? body).toString();
}

/**
 * The numbers of the groups in a response, and the writes whose responses had arrived when its request began.
 */
interface Shown {
  numbers: readonly number[];
  made: number;
  removed: number;
}

describe(`${READERS} readers of one list in two processes during writes`, function () {
  this.timeout(60_000 + SECONDS * 2_000);
  let stack: Stack;
  let gate: RedisGate;
  let writer: GatewayClient;
  let agents: Agent[];
  /** Numbers of the last group that was created and of the last one that was deleted. */
  let made = 0;
  let removed = 0;
  let isOver = false;
  const responses = { whole: 0, unchanged: 0 };
  /** Since the last write, by process. */
  let reads: number[] = [];

  before(async () => {
    // Only a drop makes a write visible before the end of the test.
    stack = await startTestStack({
      ...simulatedCloud,
      workers: 0,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' },
      config: { cache: { security_groups_seconds: 3600 } },
    });
    gate = await openGate({ replyDelayMs: REPLY_DELAY_MS });
    await stack.addApi({ CACHE_REDIS_URL: gate.url });
    writer = await GatewayClient.logIn(stack.url, testLogin('demo'));
    agents = stack.apis.map(() => new Agent({ keepAlive: true }));
  });

  after(async () => {
    for (const agent of agents ?? []) agent.destroy();
    await stack?.stop();
    await gate?.close();
  });

  /** Repeatedly creates a group and deletes the previous one. */
  async function write(): Promise<void> {
    const end = Date.now() + SECONDS * 1000;
    let previous: string | undefined;
    // On a busy machine, each write takes seconds.
    while (Date.now() < end || made < MIN_WRITES) {
      const number = made + 1;
      const created = await writer.request<{ id: string }>('POST', LIST, { name: `group-${number}` });
      assert.equal(created.status, 201, created.text);
      made = number;
      if (previous !== undefined) {
        const { status } = await writer.request('DELETE', `${LIST}/${previous}`);
        assert.equal(status, 204);
        removed = number - 1;
      }
      previous = created.body.id;
      reads = stack.apis.map(() => 0);
      while (!isOver && reads.some((count) => count < READS_BETWEEN_WRITES)) await pause(PAUSE_MS / 10);
    }
    isOver = true;
  }

  /** Polls one of the processes as a dashboard does: with the entity tag of the previous response. */
  async function read(reader: number): Promise<void> {
    const index = reader % agents.length;
    const agent = agents[index];
    const url = `${stack.apis[index]?.url}${LIST}`;
    const encoding = ACCEPTED[reader % ACCEPTED.length];
    const revalidates = reader % 3 === 0;
    let etag: string | undefined;
    let numbers: number[] = [];
    while (!isOver) {
      const atStart = { made, removed };
      const request = httpRequest(url, {
        agent,
        headers: {
          ...writer.headers(),
          'accept-encoding': encoding,
          ...(revalidates && etag !== undefined && { 'if-none-match': etag }),
        },
      });
      request.end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const text = decode(await buffer(response), response.headers['content-encoding']);
      if (response.statusCode === 304) {
        responses.unchanged += 1;
      } else {
        assert.equal(response.statusCode, 200, text);
        responses.whole += 1;
        etag = response.headers.etag;
        numbers = [...text.matchAll(/"group-(\d+)"/g)].map(([, number]) => Number(number));
      }
      assertFresh({ ...atStart, numbers });
      reads[index] = (reads[index] ?? 0) + 1;
      await pause(PAUSE_MS);
    }
  }

  function assertFresh({ numbers, made: lastMade, removed: lastRemoved }: Shown): void {
    assert.ok(Math.max(0, ...numbers) >= lastMade, `${numbers} lacks ${lastMade}, which was there before`);
    assert.ok(
      numbers.every((number) => number > lastRemoved),
      `${numbers} shows ${lastRemoved}, which was gone before`,
    );
  }

  it('never get a state from before an acknowledged write', async () => {
    const failures: unknown[] = [];
    const readers = Array.from({ length: READERS }, (_, reader) =>
      read(reader).catch((error: unknown) => failures.push(error)),
    );

    await write().finally(() => {
      isOver = true;
    });
    await Promise.all(readers);

    assert.deepEqual(failures.slice(0, 3), [], `${failures.length} outdated responses`);
    assert.ok(responses.whole > READERS && responses.unchanged > 0, JSON.stringify(responses));
    const hits = await Promise.all(stack.apis.map(processHits));
    assert.ok(
      hits.every((count) => count > 0),
      'lists came from the memory of each process',
    );
    console.log(
      `      ${made + removed} writes, ${responses.whole} responses and ${responses.unchanged} times 304`,
    );
  });

  async function processHits({ url }: { url: string }): Promise<number> {
    // In the first scrape, counters are 0.
    await writer.at(url).request('GET', '/api/metrics');
    const { text } = await writer.at(url).request('GET', '/api/metrics');
    const line = /gateway_cache_reads_total\{list="securityGroups",outcome="process_hit"[^}]*\} (\d+)/.exec(
      text,
    );
    return Number(line?.[1] ?? 0);
  }
});
