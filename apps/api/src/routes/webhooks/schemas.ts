import { type ChosenType, chosenTypes } from '@gateway/webhooks';
import Joi from 'joi';
import { descriptionField, pathIds } from '../../http/schemas/fields.ts';

export interface CreateWebhookBody {
  url: string;
  events: ChosenType[];
  description: string;
}

export interface UpdateWebhookBody extends Partial<CreateWebhookBody> {
  enabled?: boolean;
}

export const webhookParams = pathIds('webhook_id');

const MAX_URL_LENGTH = 2048;

const urlField = () =>
  Joi.string()
    .uri({ scheme: ['https', 'http'] })
    .max(MAX_URL_LENGTH)
    .description('An `https` URL at a public address. Members of the project can read it.');
const eventsField = () =>
  Joi.array()
    .items(
      Joi.string()
        .valid(...chosenTypes)
        .meta({ name: 'WebhookEventType' }),
    )
    .unique()
    .description('The types of events that it learns of; all, also future ones, if the list is empty.');
const example = () => ({
  url: 'https://hooks.example.org/cloud',
  events: ['job.failed', 'auto_backup.failed'],
  description: 'Messages to the chat of the team',
});

export const createWebhookBody = Joi.object<CreateWebhookBody, true>({
  url: urlField().required(),
  events: eventsField().default([]),
  description: descriptionField().default(''),
})
  .required()
  .meta({ name: 'CreateWebhook', example });

export const updateWebhookBody = Joi.object<UpdateWebhookBody, true>({
  url: urlField(),
  events: eventsField(),
  description: descriptionField(),
  enabled: Joi.boolean().description(
    'Nothing is sent to a webhook that is not enabled, and nothing is sent later.',
  ),
})
  .required()
  .meta({ name: 'UpdateWebhook', example: () => ({ events: ['job.failed'], enabled: true }) });
