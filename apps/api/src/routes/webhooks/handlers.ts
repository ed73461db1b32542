import { conflict, newId, notFound, quotaExceeded, toTimestamp } from '@gateway/core';
import { addNames, type NameSource, ownProjectName, visibleUserNames } from '@gateway/resources';
import { type Delivery, newSecret, sealSecret, urlProblem, urlRules, type Webhook } from '@gateway/webhooks';
import { toValidationError } from '../../http/request/validation-errors.ts';
import { isEmpty } from '../../http/schemas/is-empty.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { CreateWebhookBody, UpdateWebhookBody } from './schemas.ts';
import type { PresentedDelivery, PresentedWebhook } from './shapes.ts';

type WebhookParams = { webhook_id: string };
type OneWebhook<Body = unknown> = RequestContext<WebhookParams, unknown, Body>;

/** Whose webhooks: those of the project of the request, or those of the site. */
interface Owner {
  /** Null for the site. */
  projectIdOf(request: RequestContext): string | null;
  limit: number;
}

export const ofProject: Owner = { projectIdOf: ({ caller }) => caller.identity.projectId, limit: 5 };
export const ofSite: Owner = { projectIdOf: () => null, limit: 20 };

/** Failed attempts are of use for some days. */
const SHOWN_DELIVERIES = 100;

export function webhookHandlers({ limit, projectIdOf }: Owner) {
  async function find(request: OneWebhook): Promise<Webhook> {
    const { app, params } = request;
    const webhook = await app.webhooks.readOfProject(projectIdOf(request), params.webhook_id);
    if (webhook === null) throw noWebhook();
    return webhook;
  }

  async function list(request: RequestContext): Promise<PresentedWebhook[]> {
    return present(request, await request.app.webhooks.listOfProject(projectIdOf(request)));
  }

  async function create(request: RequestContext<unknown, unknown, CreateWebhookBody>) {
    const { app, body, caller } = request;
    checkUrl(request, body.url);
    const secret = newSecret();
    const now = app.clock.now();
    const settings = {
      ...body,
      enabled: true,
      projectId: projectIdOf(request),
      userId: caller.identity.userId,
      sealedSecret: sealSecret(app.sealer, secret),
      createdAt: now,
      updatedAt: now,
    };
    const id = await app.webhooks.create(settings, limit);
    if (id === null) {
      const excess = { quota: 'webhooks', requested: 1, in_use: limit, limit };
      throw quotaExceeded('The number of webhooks', [excess]);
    }
    const created = { ...settings, id, disabledReason: null, failures: 0 };
    return { ...(await presentOne(request, created)), secret };
  }

  async function get(request: OneWebhook): Promise<PresentedWebhook> {
    return presentOne(request, await find(request));
  }

  async function update(request: OneWebhook<UpdateWebhookBody>): Promise<PresentedWebhook> {
    const { app, body } = request;
    const webhook = await find(request);
    if (isEmpty(body)) return presentOne(request, webhook);
    checkUrl(request, body.url);
    if (!(await app.webhooks.update(webhook, body, app.clock.now()))) throw noWebhook();
    return get(request);
  }

  async function remove(request: OneWebhook): Promise<void> {
    const { app, params } = request;
    const webhook = { id: params.webhook_id, projectId: projectIdOf(request) };
    if (!(await app.webhooks.remove(webhook))) throw noWebhook();
  }

  /** The worker sends it like any other event. */
  async function test(request: OneWebhook): Promise<PresentedDelivery> {
    const { app, caller } = request;
    const webhook = await find(request);
    const { userId, userName } = caller.identity;
    const event = {
      id: `${newId()}_test`,
      type: 'webhook.test' as const,
      at: app.clock.now(),
      projectId: webhook.projectId,
      data: { webhook_id: webhook.id, project_id: webhook.projectId, user_id: userId, user_name: userName },
    };
    await app.webhooks.storeEvent(event, { onlyWebhook: webhook.id });
    const delivery = await app.webhooks.readDelivery(webhook.id, event.id);
    if (delivery === null) {
      await find(request);
      throw conflict('wrong_state', 'The webhook is disabled. Enable it first.');
    }
    return presentDelivery(delivery);
  }

  async function listDeliveries(request: OneWebhook): Promise<PresentedDelivery[]> {
    const { id } = await find(request);
    return (await request.app.webhooks.deliveries(id, SHOWN_DELIVERIES)).map(presentDelivery);
  }

  return { list, create, get, update, remove, test, listDeliveries };
}

/** @throws 400 for a URL to which the gateway sends nothing */
function checkUrl({ app }: RequestContext, url: string | undefined): void {
  const problem = url === undefined ? null : urlProblem(url, urlRules(app.config));
  if (problem !== null) throw toValidationError([{ path: ['body', 'url'], message: problem }]);
}

function noWebhook() {
  return notFound('There is no such webhook.');
}

type ShownWebhook = Omit<Webhook, 'sealedSecret'>;

/** With the names of the project and of who has created them. */
function present(request: RequestContext, webhooks: readonly ShownWebhook[]): Promise<PresentedWebhook[]> {
  const rows = webhooks.map(withoutNames);
  return addNames(sourcesOf(request), rows, { project_id: ownProjectName, user_id: userNamesFor(request) });
}

async function presentOne(request: RequestContext, webhook: ShownWebhook): Promise<PresentedWebhook> {
  const [row] = await present(request, [webhook]);
  return row as PresentedWebhook;
}

/** The token has the name of the caller. The identity service shows others to administrators only. */
function userNamesFor({ caller }: RequestContext): NameSource {
  const { userId, userName } = caller.identity;
  return async (sources, ids) => {
    const others = ids.difference(new Set([userId]));
    const names = others.size > 0 ? await visibleUserNames(sources, others) : [];
    return new Map([...names, [userId, userName]]);
  };
}

function withoutNames(webhook: ShownWebhook): PresentedWebhook {
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    project_name: null,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    user_id: webhook.userId,
    user_name: null,
    created_at: toTimestamp(webhook.createdAt),
    updated_at: toTimestamp(webhook.updatedAt),
  };
}

function presentDelivery(delivery: Delivery): PresentedDelivery {
  return {
    id: delivery.eventId,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    error: delivery.error,
    created_at: toTimestamp(delivery.createdAt),
    last_attempt_at: toTimestamp(delivery.lastAttemptAt),
    next_attempt_at: toTimestamp(delivery.nextAttemptAt),
  };
}
