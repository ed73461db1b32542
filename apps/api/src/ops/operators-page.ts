import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routeNotFound } from '@gateway/core';
import { type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { pathPrefix } from '../http/request/path-prefix.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { operatorPageHeaders } from '../http/response/headers.ts';
import { sendStaticFile } from '../http/response/static-file.ts';

/** All of these are the same file, whose scripts show what the address names. */
const PAGES = [
  '',
  '/jobs',
  '/job',
  '/queues',
  '/health',
  '/audit',
  '/history',
  '/sessions',
  '/login',
  '/sso',
];

/** The files that the page loads, by name. */
const ASSETS: Record<string, string> = {
  'ops.css': import.meta.resolve('./assets/ops.css'),
  'main.js': import.meta.resolve('./assets/main.js'),
  'page.js': import.meta.resolve('./assets/page.js'),
  'log-in.js': import.meta.resolve('./assets/log-in.js'),
  'sign-on.js': import.meta.resolve('./assets/sign-on.js'),
  'attention.js': import.meta.resolve('./assets/attention.js'),
  'read-only.js': import.meta.resolve('./assets/read-only.js'),
  'job-parts.js': import.meta.resolve('./assets/job-parts.js'),
  'job.js': import.meta.resolve('./assets/job.js'),
  'audit.js': import.meta.resolve('./assets/audit.js'),
  'history.js': import.meta.resolve('./assets/history.js'),
  'jobs.js': import.meta.resolve('./assets/jobs.js'),
  'queues.js': import.meta.resolve('./assets/queues.js'),
  'health.js': import.meta.resolve('./assets/health.js'),
  'health-lists.js': import.meta.resolve('./assets/health-lists.js'),
  'sessions.js': import.meta.resolve('./assets/sessions.js'),
  'overview.js': import.meta.resolve('./assets/overview.js'),
  'uplot.js': import.meta.resolve('uplot/dist/uPlot.esm.js'),
  'uplot.css': import.meta.resolve('uplot/dist/uPlot.min.css'),
};

/**
 * The operators' page: files, which anybody may read. They are a client of the endpoints below `/api`, like
 * any dashboard at the gateway's own origin, with its session in the cookie of those. See decision 209.
 */
export function operatorsPage(app: AppContext): RequestHandler {
  const router = Router({ caseSensitive: true });
  router.use(operatorPageHeaders());
  for (const path of PAGES) router.get(path || '/', sendPage(app, `/ops${path}`));
  router.get('/assets/:name', sendAsset);
  return router;
}

/** Adds what the page cannot ask the api: what precedes the gateway's paths, and whether it is read-only. */
function sendPage({ config }: AppContext, route: string): RequestHandler {
  const html = readFileSync(fileURLToPath(import.meta.resolve('./assets/index.html')), 'utf8').replace(
    'data-allows-changes="false"',
    `data-allows-changes="${config.ops.allowChanges}"`,
  );
  return (request, response) => {
    addLocals(response, { route });
    response.set('Cache-Control', 'no-store');
    response.type('html').send(html.replace('href="/ops/"', `href="${pathPrefix(config, request)}/ops/"`));
  };
}

const sendAsset: RequestHandler<{ name: string }> = ({ params }, response) => {
  const url = Object.hasOwn(ASSETS, params.name) ? ASSETS[params.name] : undefined;
  if (url === undefined) throw routeNotFound('There is nothing at this address.');
  addLocals(response, { route: '/ops/assets' });
  sendStaticFile(response, url);
};
