import type { Response } from 'express';
import type { AppContext } from '../context.ts';
import { pathPrefix } from '../http/request/path-prefix.ts';

/** Sends a page, whose links to `/ops` become those below the prefix of the caller's addresses. */
export function sendHtml({ config }: AppContext, response: Response, html: string): void {
  const prefix = pathPrefix(config, response.req);
  response.type('html').send(html.replaceAll('"/ops', `"${prefix}/ops`));
}

/** Leads the browser to a page of the operators, below the same prefix. */
export function redirectTo({ config }: AppContext, response: Response, path: `/ops${string}`): void {
  response.redirect(303, pathPrefix(config, response.req) + path);
}
