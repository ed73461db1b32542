import { IncomingMessage, type OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Answer } from './answer.ts';
import { requestIdOf } from './request-id.ts';

/** These speak to browsers and plug-ins that are no longer there. */
const bygone = { xDownloadOptions: false, xPermittedCrossDomainPolicies: false, xXssProtection: false };

/** For data: no page, so nothing may be loaded or framed, and what only concerns pages is left out. */
const forData = helmet({
  ...bygone,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
});

/** For the pages of the documentation: nothing is loaded from another host; they set their styles inline. */
const forPages = helmet({
  ...bygone,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'self'"],
      frameAncestors: ["'none'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
    },
  },
});

/** Helmet says the same of every answer, so it is asked once: name, value, name, value. */
const securityFields = fieldsSetBy(forData);

/**
 * Writes status and header fields of an answer, `fields` being name, value, name, value. All at once and as a
 * list, which costs a fraction of setting one after the other; what was set before is kept.
 */
export function writeHead(response: Answer, status: number, fields: readonly OutgoingHttpHeader[]): void {
  response.writeHead(status, [...securityFields, 'X-Request-Id', requestIdOf(response), ...fields]);
}

/** For answers that others write: the pages of the documentation. */
export function pageFields(): RequestHandler {
  return (request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(response));
    forPages(request, response, next);
  };
}

function fieldsSetBy(middleware: typeof forData): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
