import { fromStored, storedForms } from '@gateway/core';
import type { EventType } from './event-types.ts';

/** `failed`: it is not sent any more. */
type DeliveryState = 'pending' | 'delivered' | 'failed';

/** Why an attempt failed that got no response, or why an event is not sent any more. */
export const deliveryErrors = [
  'forbidden_address',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  'timeout',
  'refused_by_response',
  'expired',
  'too_many_waiting',
  'webhook_gone',
  'webhook_disabled',
] as const;

export type DeliveryError = (typeof deliveryErrors)[number];

/** An event for one webhook. Times are in milliseconds since the epoch. */
export interface Delivery {
  eventId: string;
  type: EventType;
  state: DeliveryState;
  /** What is sent. Empty once it has been delivered, or will not be. */
  body: string;
  attempts: number;
  /** Of the last attempt; null without a response. */
  responseStatus: number | null;
  /** Of the last attempt; null if it succeeded. */
  error: DeliveryError | null;
  createdAt: number;
  lastAttemptAt: number | null;
  /** Null if there will be none. */
  nextAttemptAt: number | null;
}

/** The event for a webhook, among those of all. Ids contain no colon. */
export function deliveryOf(webhookId: string, eventId: string): string {
  return `${webhookId}:${eventId}`;
}

/** Null for the hash of a delivery that does not exist. */
export function deliveryFromHash(stored: Record<string, string>): Delivery | null {
  if (stored.eventId === undefined) return null;
  const hash = fromStored(storedForms.webhookDelivery, stored);
  const orNull = (value: string | undefined) => (value ? Number(value) : null);
  return {
    eventId: stored.eventId,
    type: hash.type as EventType,
    state: hash.state as DeliveryState,
    body: hash.body ?? '',
    attempts: Number(hash.attempts ?? 0),
    responseStatus: orNull(hash.responseStatus),
    error: (hash.error || null) as DeliveryError | null,
    createdAt: Number(hash.createdAt),
    lastAttemptAt: orNull(hash.lastAttemptAt),
    nextAttemptAt: orNull(hash.nextAttemptAt),
  };
}
