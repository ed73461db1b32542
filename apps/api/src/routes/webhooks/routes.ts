import { listOf } from '@gateway/core/shapes';
import { endpoint, type Tag } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { ofProject, ofSite, webhookHandlers } from './handlers.ts';
import { createWebhookBody, updateWebhookBody, webhookParams } from './schemas.ts';
import { deliveryShape, newWebhookShape, webhookShape } from './shapes.ts';

interface Texts {
  path: string;
  tag: Tag;
  access: 'project' | 'admin';
  /** Whose webhooks are listed. */
  whose: string;
  /** Of which events they learn. */
  learns: string;
}

/** Members and administrators have the same endpoints, each for their own webhooks. */
function webhookEndpointsOf(
  { path, tag, access, whose, learns }: Texts,
  handlers: ReturnType<typeof webhookHandlers>,
) {
  const common = { tag, access, params: webhookParams };
  const one = `${path}/:webhook_id`;
  return [
    endpoint({
      ...common,
      params: undefined,
      method: 'GET',
      path,
      summary: `The webhooks of ${whose}`,
      description: 'Without their secrets.',
      response: listOf(webhookShape),
      rows: { filters: { enabled: ['enabled'] } },
      handler: handlers.list,
    }),
    endpoint({
      ...common,
      params: undefined,
      method: 'POST',
      path,
      summary: `Create a webhook of ${whose}`,
      description:
        `It learns of ${learns}. Messages are signed in the form of Standard Webhooks, and sent at least once: drop ` +
        'those whose `webhook-id` you have seen. 2xx accepts a message, 410 disables the webhook, and anything else ' +
        'makes the gateway try again for 24 hours.',
      body: createWebhookBody,
      writes: { resource: 'webhook', as: 'created' },
      status: 201,
      response: newWebhookShape,
      secret: true,
      refusesReaders: true,
      errors: ['quota_exceeded'],
      handler: handlers.create,
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: one,
      summary: `A webhook of ${whose}`,
      response: webhookShape,
      errors: ['not_found'],
      handler: handlers.get,
    }),
    endpoint({
      ...common,
      method: 'PATCH',
      path: one,
      summary: `Change a webhook of ${whose}`,
      description: 'What waits for it is sent to a new URL at once.',
      body: updateWebhookBody,
      writes: { resource: 'webhook', as: 'updated' },
      response: webhookShape,
      refusesReaders: true,
      errors: ['not_found'],
      handler: handlers.update,
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      path: one,
      summary: `Delete a webhook of ${whose}`,
      description: 'What waits for it is not sent.',
      writes: { resource: 'webhook', as: 'deleted' },
      status: 204,
      refusesReaders: true,
      errors: ['not_found'],
      handler: handlers.remove,
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: `${one}/test`,
      rateLimits: ['webhookTest'],
      summary: `Send a test message to a webhook of ${whose}`,
      description: 'Within seconds, whatever the webhook has chosen. Its deliveries show the result.',
      writes: { resource: 'webhook', as: 'named' },
      status: 202,
      response: deliveryShape,
      example: () => ({
        id: '5f0c7d70-3a5b-4d6e-8f2b-4b8d1a7c9e02_test',
        type: 'webhook.test',
        state: 'pending',
        attempts: 0,
        response_status: null,
        last_attempt_at: null,
      }),
      refusesReaders: true,
      errors: ['not_found', 'conflict'],
      handler: handlers.test,
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: `${one}/deliveries`,
      summary: `The latest messages to a webhook of ${whose}`,
      description: 'Newest first, those of the last three days, at most 100.',
      response: listOf(deliveryShape),
      rows: { filters: { state: ['state'], type: ['type'] } },
      errors: ['not_found'],
      handler: handlers.listDeliveries,
    }),
  ];
}

export const webhookEndpoints = webhookEndpointsOf(
  {
    path: '/api/webhooks',
    tag: { name: 'webhooks', description: 'Messages to URLs about what happens in a project' },
    access: 'project',
    whose: 'the project',
    learns: 'what happens in the project',
  },
  webhookHandlers(ofProject),
);

export const adminWebhookEndpoints = webhookEndpointsOf(
  {
    path: '/api/admin/webhooks',
    tag: adminTags.webhooks,
    access: 'admin',
    whose: 'the site',
    learns: 'what happens in all projects',
  },
  webhookHandlers(ofSite),
);
