import { exampleOf } from '@gateway/core/shapes';
import { type EventType, eventTypes } from '@gateway/webhooks';
import { messageShapes } from '@gateway/webhooks/shapes';
import type { Json } from './json-schema.ts';
import type { SchemaRegistry } from './schema-registry.ts';

/** The headers of Standard Webhooks, which all messages have. */
export const webhookHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'Identifies the event: the same whenever the message is repeated. Drop what you have seen with the same id.',
    schema: { type: 'string' },
    example: '7d1f3c52-5c1e-4a52-9f5e-3f0a6d1b2c11_failed',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'When this attempt was sent, in seconds since the epoch. Refuse what is more than five minutes away.',
    schema: { type: 'integer' },
    example: 1_795_340_000,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signatures with blanks between them, one of which must be right: `v1,` and, in Base64, the HMAC-SHA256 of ' +
      '`{webhook-id}.{webhook-timestamp}.{body}`. The key is what follows `whsec_` in the secret, in Base64.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** What the gateway does after a response of the receiver. */
const responses = {
  '2XX': { description: 'The receiver has accepted the message. The gateway does not read the body.' },
  410: { description: 'The receiver wants no more: the gateway disables the webhook and sends it nothing.' },
  default: {
    description:
      'Anything else, also a redirect or no response within 10 seconds: the gateway repeats the message for 24 hours, ' +
      'with the same `webhook-id`. It obeys `Retry-After`, for at most six hours.',
  },
};

/** The section `webhooks` of the document: the message of each event, which the gateway sends. */
export function describeWebhooks(schemas: SchemaRegistry): Record<string, Json> {
  const types = Object.keys(eventTypes) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: describe(type, schemas) }]));
}

function describe(type: EventType, schemas: SchemaRegistry): Json {
  const shape = messageShapes[type];
  const content = { schema: schemas.referShape(shape), example: exampleOf(shape) };
  return {
    operationId: operationId(type),
    tags: ['webhooks'],
    summary: eventTypes[type],
    // The signature proves who has sent it.
    security: [],
    // Clients send none of these: openapi-generator would make methods of them, in place of those of the tag.
    'x-internal': true,
    parameters,
    requestBody: { required: true, content: { 'application/json': content } },
    responses,
  };
}

/** `job.failed` is `jobFailed`. */
function operationId(type: EventType): string {
  return type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}
