import { fromStored, storedForms, toStored } from '@gateway/core';
import type { ChosenType } from './event-types.ts';

/** A URL that learns of events. Times are in milliseconds since the epoch. */
export interface Webhook extends WebhookSettings {
  id: string;
  /** Null for a webhook of the site, which learns of the events of all projects. */
  projectId: string | null;
  /** Why the gateway has disabled it; null if it has not. */
  disabledReason: 'gone' | null;
  /** The number of failed attempts since the last success, without those for a single event. */
  failures: number;
  /** The user who created it. */
  userId: string;
  sealedSecret: string;
  createdAt: number;
  updatedAt: number;
}

export interface WebhookSettings {
  url: string;
  /** The types of events that it learns of; all if there are none. */
  events: readonly ChosenType[];
  description: string;
  enabled: boolean;
}

type Hash = Record<string, string>;

export type NewWebhook = Omit<Webhook, 'id' | 'disabledReason' | 'failures'>;

export function toHash(webhook: NewWebhook): Hash {
  const { createdAt, projectId, sealedSecret, userId } = webhook;
  return toStored(storedForms.webhook, {
    projectId: projectId ?? '',
    userId,
    secret: sealedSecret,
    createdAt: String(createdAt),
    ...settingsHash(webhook, webhook.updatedAt),
  });
}

/** The given settings only, so that a change of one leaves the others as they are. */
export function settingsHash(
  { description, enabled, events, url }: Partial<WebhookSettings>,
  updatedAt: number,
): Hash {
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: events.join(' ') }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled: enabled ? '1' : '' }),
    updatedAt: String(updatedAt),
  };
}

/** Null for the hash of a webhook that does not exist. */
export function fromHash(stored: Hash): Webhook | null {
  if (stored.id === undefined) return null;
  const hash = fromStored(storedForms.webhook, stored);
  return {
    id: stored.id,
    projectId: hash.projectId || null,
    url: hash.url ?? '',
    events: (hash.events ?? '').split(' ').filter(Boolean) as ChosenType[],
    description: hash.description ?? '',
    enabled: hash.enabled === '1',
    disabledReason: hash.disabledReason === 'gone' ? 'gone' : null,
    failures: Number(hash.failures ?? 0),
    userId: hash.userId ?? '',
    sealedSecret: hash.secret ?? '',
    createdAt: Number(hash.createdAt),
    updatedAt: Number(hash.updatedAt),
  };
}
