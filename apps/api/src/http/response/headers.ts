import { IncomingMessage, type OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type GatewayResponse, requestIdOf } from './gateway-response.ts';

/** Headers for browsers and plug-ins that no longer exist. */
const obsolete = { xDownloadOptions: false, xPermittedCrossDomainPolicies: false, xXssProtection: false };

/** For data: nothing may be loaded or framed, and headers that only concern pages are left out. */
const setDataHeaders = helmet({
  ...obsolete,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
});

/** Pages load nothing from other hosts, and cannot be framed. */
const pageDirectives = {
  defaultSrc: ["'self'"],
  baseUri: ["'self'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'", 'data:'],
  objectSrc: ["'none'"],
  scriptSrc: ["'self'"],
};

/** For the documentation pages, which use inline styles. */
const setPageHeaders = helmet({
  ...obsolete,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { ...pageDirectives, styleSrc: ["'self'", "'unsafe-inline'"] },
  },
});

/**
 * For the operators' page, whose styles are all in files. Over plain HTTP, browsers may send the origin of a
 * change only if the referrer policy allows the page's own origin.
 */
const setOperatorHeaders = helmet({
  ...obsolete,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { formAction: ["'self'"], ...pageDirectives, styleSrc: ["'self'"] },
  },
  referrerPolicy: { policy: 'same-origin' },
});

/** Computed once, because Helmet sets the same headers on every response: name, value, name, value. */
const securityHeaders = headersSetBy(setDataHeaders);

/**
 * Writes the status and the headers of a response, given as name, value, name, value. One flat list costs a
 * fraction of setting the headers one by one. Headers that were set before are kept.
 */
export function writeHeaders(
  response: GatewayResponse,
  status: number,
  headers: readonly OutgoingHttpHeader[],
): void {
  response.writeHead(status, [...securityHeaders, 'X-Request-Id', requestIdOf(response), ...headers]);
}

/**
 * Sends a text with its length. Without the length, Node sends the text as a chunk, which takes five writes.
 */
export function endWithText(
  response: GatewayResponse,
  status: number,
  headers: readonly OutgoingHttpHeader[],
  text: string,
): void {
  writeHeaders(response, status, [...headers, 'Content-Length', String(Buffer.byteLength(text))]);
  response.end(text);
}

/** Middleware that sets the headers of the documentation pages, whose responses other middleware writes. */
export function pageHeaders(): RequestHandler {
  return withRequestId(setPageHeaders);
}

/** The same for the operators' page. */
export function operatorPageHeaders(): RequestHandler {
  return withRequestId(setOperatorHeaders);
}

function withRequestId(setHeaders: typeof setDataHeaders): RequestHandler {
  return (request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(response));
    setHeaders(request, response, next);
  };
}

function headersSetBy(middleware: typeof setDataHeaders): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => {});
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}
