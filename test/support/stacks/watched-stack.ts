import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import { CloudsimControl } from '../clients/cloudsim-control.ts';
import { OtlpReceiver } from '../doubles/otlp-receiver.ts';
import { eventually } from '../eventually.ts';
import { startTestStack } from './test-stack.ts';

/** The whole gateway, with access to all its logs, traces and calls, and to all writes of its Redis. */
export class WatchedStack {
  readonly stack: Stack;
  readonly #receiver: OtlpReceiver;
  readonly #redisDir: string;

  private constructor(stack: Stack, receiver: OtlpReceiver, redisDir: string) {
    this.stack = stack;
    this.#receiver = receiver;
    this.#redisDir = redisDir;
  }

  static async start(options: StackOptions = {}): Promise<WatchedStack> {
    const redisDir = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const receiver = await OtlpReceiver.start();
    const env = { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...options.env };
    try {
      const stack = await startTestStack({ ...options, ownRedis: true, redisDir, env });
      return new WatchedStack(stack, receiver, redisDir);
    } catch (error) {
      await receiver.stop();
      throw error;
    }
  }

  /**
   * Asserts that no secret is in the logs, in the traces, in the addresses of calls to services, in the
   * writes of Redis, or in these texts, such as responses and the addresses that a browser has visited.
   */
  async assertSecretsAbsent(secrets: Record<string, string>, answers: string[]): Promise<void> {
    const { apis, cloudsim, workers } = this.stack;
    const calls = cloudsim === null ? null : await new CloudsimControl(cloudsim.url).calls();
    const places = {
      'the logs': [...apis, ...workers].flatMap((process) => process.logs()).join('\n'),
      'the traces': await this.#everythingTraced(),
      ...(calls !== null && { 'the addresses of calls': calls.map(({ path }) => path).join('\n') }),
      answers: answers.join('\n'),
      Redis: await this.#everythingRedisWrote(),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 0, `there is something in ${place}`);
      for (const [name, secret] of Object.entries(secrets)) {
        assert.ok(!text.includes(secret), `${name} stands in ${place}`);
      }
    }
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.#receiver.stop();
    rmSync(this.#redisDir, { recursive: true, force: true });
  }

  /** Processes send their spans in order: the api's last one comes after all others. */
  async #everythingTraced(): Promise<string> {
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    await fetch(`${this.stack.url}/api/health`, { headers: { traceparent } });
    await eventually(async () => {
      const services = new Set(this.#receiver.spans.map(({ service }) => service));
      return services.size === 2 && this.#receiver.ofTrace(traceId).length > 0;
    });
    return this.#receiver.text;
  }

  /** The append-only file contains all writes, including those of deleted keys. */
  async #everythingRedisWrote(): Promise<string> {
    const { redis, redisUrl } = this.stack;
    assert.ok(redis, 'the suite has a Redis of its own');
    const client = new Redis(redisUrl);
    await client.config('SET', 'appendfsync', 'always');
    client.disconnect();
    const files = readdirSync(this.#redisDir, { recursive: true, encoding: 'utf8' });
    const kept = files.filter((name) => name.includes('.aof'));
    return kept.map((name) => readFileSync(join(this.#redisDir, name), 'latin1')).join('\n');
  }
}
