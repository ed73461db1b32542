import { randomBytes } from 'node:crypto';
import { Sealer } from '@gateway/core';
import type { RedisConnections } from '@gateway/store';
import {
  AllowedAddresses,
  type EventType,
  newSecret,
  sealSecret,
  type Webhook,
  type WebhookEvent,
  WebhookSender,
  WebhookStore,
} from '@gateway/webhooks';
import { messageShapes } from '@gateway/webhooks/shapes';
import { TestStore } from '../../support/redis/test-redis.ts';

/** Webhooks in the Redis of the test run, as a worker has them. */
export class WebhooksInRedis {
  readonly #firstKey = { id: 'k1', key: randomBytes(32) };
  sealer = new Sealer([this.#firstKey]);
  readonly outcomes: Record<string, number> = {};
  readonly errors: unknown[] = [];
  readonly #jobs = new TestStore();
  #redis: RedisConnections | null = null;
  #store: WebhookStore | null = null;

  async open(): Promise<WebhookStore> {
    this.#redis = await this.#jobs.connect();
    this.#store = new WebhookStore(this.#redis.store);
    return this.#store;
  }

  get redis() {
    if (this.#redis === null) throw new Error('not open');
    return this.#redis.store;
  }

  get store(): WebhookStore {
    if (this.#store === null) throw new Error('not open');
    return this.#store;
  }

  async create(port: number, settings: Partial<Webhook> = {}): Promise<{ id: string; secret: string }> {
    const secret = newSecret();
    const id = await this.store.create(
      {
        projectId: 'p1',
        url: `http://127.0.0.1:${port}/`,
        events: [],
        description: '',
        enabled: true,
        userId: 'u1',
        sealedSecret: sealSecret(this.sealer, secret),
        createdAt: 1_000,
        updatedAt: 1_000,
        ...settings,
      },
      100,
    );
    if (id === null) throw new Error('The webhook was refused.');
    return { id, secret };
  }

  /** From now on another key seals. */
  rotateKeys(): void {
    this.sealer = new Sealer([{ id: 'k2', key: randomBytes(32) }, this.#firstKey]);
  }

  /** One pass of a worker, until all receivers have answered. */
  async deliver(signal?: AbortSignal): Promise<void> {
    const sender = this.sender(signal);
    await sender.pass();
    await sender.close();
  }

  /** That of a worker of its own. */
  sender(signal = new AbortController().signal): WebhookSender {
    return new WebhookSender({
      store: this.store,
      sealer: this.sealer,
      allowed: new AllowedAddresses(['127.0.0.0/8']),
      allowHttp: true,
      signal,
      onOutcome: (outcome, count) => {
        this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + count;
      },
      onError: (_id, error) => this.errors.push(error),
    });
  }

  close(): Promise<void> {
    return this.#jobs.close();
  }
}

type SomeEvent = Partial<Pick<WebhookEvent, 'type' | 'at' | 'projectId'>> & { data?: object };

/** An event for tests that care for no fields of its body. */
export function event(id: string, more: SomeEvent = {}): WebhookEvent {
  return {
    id,
    type: 'job.failed',
    at: Date.UTC(2026, 10, 22),
    projectId: 'p1',
    data: { job_id: id },
    ...more,
  } as WebhookEvent;
}

/** The body of a message, which must have the shape that the OpenAPI document says. */
export function parseMessage(body: string): { type: string; data: Record<string, unknown> } {
  const message = JSON.parse(body) as { type: EventType; data: object };
  return { type: message.type, data: messageShapes[message.type].shape.data.parse(message.data) };
}
