export { AllowedAddresses } from './allowed-addresses.ts';
export { urlProblem, urlRules } from './check-url.ts';
export { type Delivery, deliveryErrors } from './delivery.ts';
export {
  type ChosenType,
  chosenTypes,
  type EventType,
  eventTypes,
  jobEvents,
  type WebhookEvent,
} from './events.ts';
export { webhookKeys } from './keys.ts';
export { post } from './post.ts';
export { newSecret, openSecret, sealSecret } from './secrets.ts';
export { sendMessage } from './send.ts';
export { WebhookStore } from './store.ts';
export type { Webhook, WebhookSettings } from './webhook.ts';
export { WebhookSender } from './webhook-sender.ts';
