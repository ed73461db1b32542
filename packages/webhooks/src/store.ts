import { newId, type Sealer } from '@gateway/core';
import { type Redis, replaceFieldScript } from '@gateway/store';
import { type Delivery, deliveryFromHash, deliveryOf } from './delivery.ts';
import type { ChosenType } from './event-types.ts';
import { bodyOf, type WebhookEvent } from './events.ts';
import { settleKeys, webhookKeys } from './keys.ts';
import { type AttemptOutcome, MAX_AGE_MS } from './retries.ts';
import {
  anyDueScript,
  claimWebhookScript,
  createWebhookScript,
  endAttemptScript,
  nextDeliveryScript,
  releaseWebhookScript,
  removeWebhookScript,
  storeEventScript,
  updateWebhookScript,
} from './scripts.ts';
import { openSecret, sealSecret } from './secrets.ts';
import {
  fromHash,
  type NewWebhook,
  settingsHash,
  toHash,
  type Webhook,
  type WebhookSettings,
} from './webhook.ts';

/** How long deliveries are shown. */
const KEEP_SECONDS = 3 * 86_400;
/** How long an event counts as stored: a job that has ended does not end again after that. */
const SEEN_SECONDS = 3 * 86_400;

const READ_AT_ONCE = 100;

interface StoreEventOptions {
  /** The only webhook that learns of it, for a test. One that is disabled does not. */
  onlyWebhook?: string;
  /** How long the event counts as stored, if it may be reported again for longer than the end of a job. */
  seenSeconds?: number;
}

/** The right to send to a webhook. */
export interface Claim {
  id: string;
  lease: string;
}

/** An event that is due, with its webhook as it is now. */
export interface DueDelivery {
  webhook: Webhook;
  delivery: Delivery;
}

/** The age of the oldest event that is not delivered, in milliseconds; 0 if none waits. */
export interface OldestPending {
  projects: number;
  site: number;
}

/** Webhooks and their deliveries in Redis. A project of null stands for the site. */
export class WebhookStore {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Returns the id; null if the project has `limit` webhooks. */
  async create(webhook: NewWebhook, limit: number): Promise<string | null> {
    const id = newId();
    const keys = {
      record: webhookKeys.record(id),
      ofProject: webhookKeys.ofProject(webhook.projectId ?? ''),
      all: webhookKeys.all,
    };
    const args = { id, limit, fields: Object.entries(toHash(webhook)).flat() };
    const isStored = await createWebhookScript.runReplicated(this.#redis, keys, args);
    return isStored === 1 ? id : null;
  }

  /** Returns whether the project has the webhook. */
  async update(
    { id, projectId }: Pick<Webhook, 'id' | 'projectId'>,
    settings: Partial<WebhookSettings>,
    now: number,
  ): Promise<boolean> {
    const keys = { ...settleKeys, record: webhookKeys.record(id), queue: webhookKeys.queue(id) };
    const args = {
      id,
      project: projectId ?? '',
      fields: Object.entries(settingsHash(settings, now)).flat(),
    };
    return (await updateWebhookScript.runReplicated(this.#redis, keys, args)) === 1;
  }

  /** Returns whether the project had the webhook. */
  async remove({ id, projectId }: Pick<Webhook, 'id' | 'projectId'>): Promise<boolean> {
    const keys = {
      ...settleKeys,
      record: webhookKeys.record(id),
      ofProject: webhookKeys.ofProject(projectId ?? ''),
      all: webhookKeys.all,
      deliveries: webhookKeys.deliveries(id),
      queue: webhookKeys.queue(id),
      leases: webhookKeys.leases,
    };
    const args = { id, project: projectId ?? '' };
    return (await removeWebhookScript.runReplicated(this.#redis, keys, args)) === 1;
  }

  async removeOfProject(projectId: string): Promise<void> {
    for (const id of await this.#redis.smembers(webhookKeys.ofProject(projectId)))
      await this.remove({ id, projectId });
  }

  async read(id: string): Promise<Webhook | null> {
    return fromHash(await this.#redis.hgetall(webhookKeys.record(id)));
  }

  /** Null if the project has no webhook with the id. */
  async readOfProject(projectId: string | null, id: string): Promise<Webhook | null> {
    const webhook = await this.read(id);
    return webhook?.projectId === projectId ? webhook : null;
  }

  /** The webhooks of a project, oldest first. */
  async listOfProject(projectId: string | null): Promise<Webhook[]> {
    const ids = await this.#redis.smembers(webhookKeys.ofProject(projectId ?? ''));
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found
      .filter((webhook) => webhook !== null)
      .sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  }

  allIds(): Promise<string[]> {
    return this.#redis.smembers(webhookKeys.all);
  }

  /** Who has a webhook that learns of events of this type. */
  async listenersTo(type: ChosenType): Promise<{ site: boolean; projectIds: Set<string> }> {
    const projectIds = await this.#collectProjects((id) => this.#projectListening(id, type));
    return { site: projectIds.delete(''), projectIds };
  }

  /** The projects with a webhook that was created before a time. */
  async projectIds(createdBefore: number): Promise<Set<string>> {
    return this.#collectProjects(async (id) => {
      const [projectId, createdAt] = await this.#redis.hmget(
        webhookKeys.record(id),
        'projectId',
        'createdAt',
      );
      return projectId && Number(createdAt) < createdBefore ? projectId : null;
    });
  }

  /** @param projectOf null for a webhook that does not count */
  async #collectProjects(projectOf: (id: string) => Promise<string | null>): Promise<Set<string>> {
    const projectIds = new Set<string>();
    const ids = await this.allIds();
    for (let first = 0; first < ids.length; first += READ_AT_ONCE) {
      const found = await Promise.all(ids.slice(first, first + READ_AT_ONCE).map(projectOf));
      for (const projectId of found) if (projectId !== null) projectIds.add(projectId);
    }
    return projectIds;
  }

  /** Null if the webhook does not learn of such events; '' for one of the site. As `storeEventScript`. */
  async #projectListening(id: string, type: ChosenType): Promise<string | null> {
    const fields = ['projectId', 'enabled', 'events'] as const;
    const [projectId, enabled, events] = await this.#redis.hmget(webhookKeys.record(id), ...fields);
    const isChosen = !events || events.split(' ').includes(type);
    return enabled === '1' && isChosen ? (projectId ?? null) : null;
  }

  /** Encrypts the secret of a webhook with the first key, unless it is. */
  async renewSeal({ id, sealedSecret }: Webhook, sealer: Sealer): Promise<void> {
    if (sealer.isCurrent(sealedSecret)) return;
    const value = sealSecret(sealer, openSecret(sealer, sealedSecret));
    const args = { field: 'secret', expected: sealedSecret, value };
    const keys = { hash: webhookKeys.record(id) };
    await replaceFieldScript.runReplicated(this.#redis, keys, args);
  }

  /** The latest events of a webhook, newest first. */
  async deliveries(id: string, limit: number): Promise<Delivery[]> {
    const events = await this.#redis.zrevrange(webhookKeys.deliveries(id), 0, limit - 1);
    const found = await Promise.all(events.map((event) => this.readDelivery(id, event)));
    return found.filter((delivery) => delivery !== null);
  }

  async readDelivery(id: string, eventId: string): Promise<Delivery | null> {
    return deliveryFromHash(await this.#redis.hgetall(webhookKeys.delivery(deliveryOf(id, eventId))));
  }

  /**
   * Stores an event for all webhooks that learn of it. Can be repeated. Returns how many other events were
   * lost because too many wait.
   */
  async storeEvent(event: WebhookEvent, options: StoreEventOptions = {}): Promise<number> {
    const { onlyWebhook = '', seenSeconds = SEEN_SECONDS } = options;
    const { id, projectId, type } = event;
    const keys = {
      ...settleKeys,
      seen: webhookKeys.seen(id),
      ofProject: webhookKeys.ofProject(projectId ?? ''),
      ofSite: webhookKeys.ofProject(''),
      recordPrefix: webhookKeys.record(''),
      deliveriesPrefix: webhookKeys.deliveries(''),
    };
    const args = {
      event: id,
      type,
      body: bodyOf(event),
      project: projectId ?? '',
      onlyWebhook,
      seenSeconds,
      keepSeconds: KEEP_SECONDS,
    };
    return Number(await storeEventScript.runReplicated(this.#redis, keys, args));
  }

  /** Whether any event is due, also of webhooks that are claimed. */
  async isAnyDue(): Promise<boolean> {
    return (await anyDueScript.run(this.#redis, { due: webhookKeys.due })) === 1;
  }

  /** A webhook with events that are due, if any. Nobody else gets it for `leaseMs`, or until `release`. */
  async claim(leaseMs: number): Promise<Claim | null> {
    const keys = { due: webhookKeys.due, leases: webhookKeys.leases };
    const [id, lease] = (await claimWebhookScript.run(this.#redis, keys, { leaseMs })) as string[];
    return id === undefined || lease === undefined ? null : { id, lease };
  }

  /** Ends a claim. Nothing is sent to the webhook for the time of the pause. */
  async release({ id, lease }: Claim, pauseMs: number): Promise<void> {
    const keys = { due: webhookKeys.due, leases: webhookKeys.leases, queue: webhookKeys.queue(id) };
    await releaseWebhookScript.run(this.#redis, keys, { id, lease, pauseMs });
  }

  /** The event that is due longest for a webhook, and how many others are not sent any more. */
  async nextDelivery(id: string): Promise<{ next: DueDelivery | null; ended: number }> {
    const keys = {
      ...settleKeys,
      record: webhookKeys.record(id),
      queue: webhookKeys.queue(id),
      deliveries: webhookKeys.deliveries(id),
    };
    const args = { id, maxAgeMs: MAX_AGE_MS, keepSeconds: KEEP_SECONDS };
    const answer = await nextDeliveryScript.run(this.#redis, keys, args);
    const [ended, ...hashes] = answer as [number, ...string[][]];
    const [record = {}, stored = {}] = hashes.map(fromPairs);
    const webhook = fromHash(record);
    const delivery = deliveryFromHash(stored);
    return { next: webhook === null || delivery === null ? null : { webhook, delivery }, ended };
  }

  /** Writes the result of an attempt. Returns how many events are not sent any more. */
  async endAttempt(
    { delivery, webhook }: DueDelivery,
    { outcome, responseStatus }: { outcome: AttemptOutcome; responseStatus: number | null },
  ): Promise<number> {
    const { id, failures, url } = webhook;
    const { attempts, eventId } = delivery;
    const keys = {
      ...settleKeys,
      record: webhookKeys.record(id),
      delivery: webhookKeys.delivery(deliveryOf(id, eventId)),
      queue: webhookKeys.queue(id),
    };
    const isAgain = outcome.kind === 'again';
    const args = {
      id,
      event: eventId,
      url,
      outcome: outcome.kind,
      responseStatus: responseStatus ?? '',
      error: outcome.kind === 'delivered' ? '' : outcome.error,
      attempts: attempts + 1,
      failures: failures + 1,
      delayMs: isAgain ? outcome.delayMs : 0,
      isPause: isAgain && outcome.pauseMs !== null,
      maxAgeMs: MAX_AGE_MS,
    };
    return Number(await endAttemptScript.runReplicated(this.#redis, keys, args));
  }

  async oldestPending(now: number): Promise<OldestPending> {
    const ageOf = async (key: string) => {
      const [, at] = await this.#redis.zrange(key, 0, '0', 'WITHSCORES');
      return at === undefined ? 0 : Math.max(0, now - Number(at));
    };
    const [projects, site] = await Promise.all([
      ageOf(webhookKeys.pendingOfProjects),
      ageOf(webhookKeys.pendingOfSite),
    ]);
    return { projects, site };
  }
}

/** The fields of a hash, which a script returns as a list of names and values. */
function fromPairs(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let n = 0; n + 1 < pairs.length; n += 2) fields[pairs[n] ?? ''] = pairs[n + 1] ?? '';
  return fields;
}
