import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import { startTestStack } from './test-stack.ts';

/** The whole gateway, with access to all its logs and all writes of its Redis. */
export class WatchedStack {
  readonly stack: Stack;
  readonly #redisDir: string;

  private constructor(stack: Stack, redisDir: string) {
    this.stack = stack;
    this.#redisDir = redisDir;
  }

  static async start(options: StackOptions = {}): Promise<WatchedStack> {
    const redisDir = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const env = { LOG_LEVEL: 'debug', ...options.env };
    return new WatchedStack(await startTestStack({ ...options, ownRedis: true, redisDir, env }), redisDir);
  }

  /** Asserts that no secret is in the logs, in the writes of Redis, or in the responses. */
  async assertSecretsAbsent(secrets: Record<string, string>, answers: string[]): Promise<void> {
    const { apis, workers } = this.stack;
    const places = {
      'the logs': [...apis, ...workers].flatMap((process) => process.logs()).join('\n'),
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
    rmSync(this.#redisDir, { recursive: true, force: true });
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
