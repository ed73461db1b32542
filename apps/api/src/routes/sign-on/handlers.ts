import { invalidInput, trimEndChars } from '@gateway/core';
import type { Config } from '@gateway/platform';
import { beginSignOn, completeSignOn, receiveSignOn } from '../../auth/sign-on.ts';
import { signOnCookie, signOnCookieOf } from '../../auth/sign-on-cookie.ts';
import { Redirect } from '../../http/response/results.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { answerLogIn } from '../auth/handlers.ts';
import type { ExchangeBody, ProviderParams, SignOnForm, SignOnQuery } from './schemas.ts';

export async function providers({ app }: RequestContext) {
  return app.config.sso.providers.map(({ id, name }) => ({ id, name }));
}

export async function begin({ app, params, query }: RequestContext<ProviderParams, SignOnQuery>) {
  const { challenge, origin } = query;
  const pages = query.page === 'operators' ? operatorsPages(app.config) : app.config.sso.dashboards;
  const returnTo = pages.find((page) => new URL(page).origin === origin);
  if (returnTo === undefined) {
    throw invalidInput('No page of this origin may begin a single sign-on.', {
      errors: [{ field: 'query.origin', message: 'is not the origin of a configured page' }],
    });
  }
  const { attempt, location } = beginSignOn(app, params.provider, { returnTo, challenge });
  return new Redirect(location, signOnCookie(app.config, attempt));
}

function operatorsPages({ ops, publicEndpoint: { url } }: Config): string[] {
  return ops.enabled && url !== null ? [`${trimEndChars(url, '/')}/ops/sso`] : [];
}

export async function receive(request: RequestContext<unknown, unknown, SignOnForm>) {
  const { app, body, call } = request;
  const attempt = signOnCookieOf(app.config, request.header('cookie'));
  const location = await receiveSignOn(app, { ...body, attempt, origin: request.header('origin') }, call);
  return new Redirect(location, signOnCookie(app.config, ''));
}

export async function exchange(request: RequestContext<unknown, unknown, ExchangeBody>) {
  const { app, body, call } = request;
  const returned = { ...body, origin: request.header('origin') };
  return answerLogIn(request, () => completeSignOn(app, returned, call));
}
