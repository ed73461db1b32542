import { type Sealer, sleep } from '@gateway/core';
import type { WebhookOutcome } from '@gateway/platform';
import { Webhook as Signer } from 'standardwebhooks';
import type { Delivery } from './delivery.ts';
import { outcomeOf } from './retries.ts';
import { openSecret } from './secrets.ts';
import { type SendOptions, sendMessage } from './send.ts';
import type { Claim, DueDelivery, WebhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

interface WebhookSenderParts extends Pick<SendOptions, 'allowed' | 'allowHttp' | 'resolve' | 'ca'> {
  store: WebhookStore;
  sealer: Sealer;
  /** Aborted when the process stops. */
  signal: AbortSignal;
  onOutcome(outcome: WebhookOutcome, count: number): void;
  onError(webhookId: string, error: unknown): void;
}

/** A receiver that does not answer takes a slot for so long. */
const TIMEOUT_MS = 10_000;
/** A webhook gets no further event after this time, so that others get its slot. */
const SERVE_MS = 10_000;
/** Longer than a webhook is served, with its last attempt. */
const LEASE_MS = 30_000;
/** A pass ends when no receiver has answered for so long. What is being sent continues. */
const PATIENCE_MS = 1_000;
/** A pass takes no further webhook after this time, so that the next pass sees what is new. */
const PASS_MS = 5_000;
const CONCURRENCY = 20;

const USER_AGENT = 'cloud-gateway-webhooks';

/**
 * Sends the events that are due. Each webhook gets its events one after the other; when its receiver has
 * trouble, all of them wait. An attempt whose process dies is repeated, with the same id.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  /** Also those of earlier passes, whose receivers are slow. */
  readonly #serving = new Set<Promise<void>>();

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  /** Sends what is due. A slow receiver does not hold up the pass: it is served beside the next ones. */
  async pass(): Promise<void> {
    const { signal, store } = this.#parts;
    const until = performance.now() + PASS_MS;
    while (!signal.aborted && performance.now() < until) {
      const claim = this.#serving.size < CONCURRENCY ? await store.claim(LEASE_MS) : null;
      if (claim !== null) this.#start(claim);
      else if (this.#serving.size === 0 || !(await this.#untilOneEnds())) return;
    }
  }

  /** Waits for what is being sent. */
  async close(): Promise<void> {
    await Promise.all(this.#serving);
  }

  #start(claim: Claim): void {
    const serving = this.#serve(claim).finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }

  /** Returns false if none does for a while. */
  async #untilOneEnds(): Promise<boolean> {
    const over = new AbortController();
    const waited = sleep(PATIENCE_MS, over.signal).then(
      () => false,
      () => true,
    );
    const hasEnded = await Promise.race([
      ...[...this.#serving].map((serving) => serving.then(() => true)),
      waited,
    ]);
    over.abort();
    return hasEnded;
  }

  async #serve(claim: Claim): Promise<void> {
    const { onError, signal, store } = this.#parts;
    try {
      await store.release(claim, await this.#sendTo(claim.id));
    } catch (error) {
      // The lease ends by itself.
      if (!signal.aborted) onError(claim.id, error);
    }
  }

  /** Returns for how long the receiver gets nothing. */
  async #sendTo(id: string): Promise<number> {
    const { onOutcome, signal, store } = this.#parts;
    const until = performance.now() + SERVE_MS;
    while (!signal.aborted && performance.now() < until) {
      // Read again for each message: in the meantime somebody may have changed the webhook, or disabled it.
      const { ended, next } = await store.nextDelivery(id);
      if (ended > 0) onOutcome('failed', ended);
      if (next === null) break;
      const pauseMs = await this.#attempt(next);
      if (pauseMs !== null) return pauseMs;
    }
    return 0;
  }

  /** Returns for how long the receiver gets nothing; null if it gets the next event. */
  async #attempt(due: DueDelivery): Promise<number | null> {
    const { onOutcome, sealer, store } = this.#parts;
    const { delivery, webhook } = due;
    const message = {
      url: webhook.url,
      body: delivery.body,
      headers: signedHeaders(sealer, webhook, delivery),
    };
    const result = await sendMessage(message, { ...this.#parts, timeoutMs: TIMEOUT_MS });
    const { attempts } = delivery;
    const outcome = outcomeOf(result, { attempts, failures: webhook.failures, now: Date.now() });
    const responseStatus = 'status' in result ? result.status : null;
    const failed = await store.endAttempt(due, { outcome, responseStatus });
    if (failed > 0) onOutcome('failed', failed);
    else onOutcome(outcome.kind === 'delivered' ? 'delivered' : 'retried', 1);
    if (outcome.kind === 'gone') return 0;
    return outcome.kind === 'again' ? outcome.pauseMs : null;
  }
}

/** In the form of Standard Webhooks. */
function signedHeaders(sealer: Sealer, { sealedSecret }: Webhook, { body, eventId }: Delivery) {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Signer(openSecret(sealer, sealedSecret)).sign(eventId, at, body),
  };
}
