import {
  enumOf,
  flag,
  id,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { chosenTypes, deliveryErrors, type EventType, eventTypes } from '@gateway/webhooks';

const messageTypes = Object.keys(eventTypes) as EventType[];

const webhookFields = {
  id: id('webhook'),
  project_id: id('project').nullable().describe('Null for a webhook of the site.'),
  project_name: text('demo').nullable(),
  url: nonEmptyText('https://hooks.example.org/cloud'),
  events: listOf(enumOf('WebhookEventType', chosenTypes, 'job.failed')).describe(
    'All types if the list is empty.',
  ),
  description: text('Messages to the chat of the team'),
  enabled: flag(),
  disabled_reason: oneOf(['gone'])
    .nullable()
    .describe('`gone`: the receiver has answered 410. Null unless the gateway has disabled it.'),
  user_id: id('user').describe('Who has created it.'),
  user_name: text('demo').nullable().describe('Null if the caller may not know it.'),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const webhookShape = shape('Webhook', webhookFields);
export type PresentedWebhook = ShapeType<typeof webhookShape>;

export const newWebhookShape = shape('WebhookWithSecret', {
  ...webhookFields,
  secret: nonEmptyText('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD').describe(
    'With which messages are signed. It is in this response only.',
  ),
});

export const deliveryShape = shape('WebhookDelivery', {
  id: nonEmptyText('7d1f3c52-5c1e-4a52-9f5e-3f0a6d1b2c11_failed').describe(
    'The header `webhook-id` of all its attempts.',
  ),
  type: enumOf('WebhookMessageType', messageTypes, 'job.failed'),
  state: oneOf(['pending', 'delivered', 'failed'], 'delivered').describe(
    '`failed`: it is not tried any more.',
  ),
  attempts: integer(1),
  response_status: integer(204).nullable().describe('Of the last attempt; null without a response.'),
  error: oneOf(deliveryErrors).nullable().describe('Of the last attempt; null after a success.'),
  created_at: timestamp(),
  last_attempt_at: timestamp().nullable(),
  next_attempt_at: timestamp(null).nullable().describe('Null if there is none.'),
});
export type PresentedDelivery = ShapeType<typeof deliveryShape>;
