import { type Express, type Request, type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { pathPrefix } from '../http/request/path-prefix.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { pageHeaders } from '../http/response/headers.ts';
import { entityTagOf, sendStaticFile } from '../http/response/static-file.ts';
import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { sendText } from '../pipeline/send.ts';
import { version } from '../version.ts';
import { documentationPage, pageNames } from './documentation-page.ts';

/** The files that the pages load, by name. */
const FILES: Record<string, string> = {
  'docs.css': import.meta.resolve('./assets/docs.css'),
  'docs.js': import.meta.resolve('./assets/docs.js'),
  'guide.css': import.meta.resolve('./assets/guide.css'),
  'guide.js': import.meta.resolve('./assets/guide.js'),
  'guide.md': textOf('api-guide.md'),
  'errors.md': textOf('errors.md'),
  'runbooks.md': textOf('runbooks.md'),
  'operation.md': textOf('operations.md'),
  'marked.js': import.meta.resolve('marked'),
  'minisearch.js': import.meta.resolve('minisearch'),
  'favicon-32x32.png': import.meta.resolve('swagger-ui-dist/favicon-32x32.png'),
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui-standalone-preset.js': import.meta.resolve('swagger-ui-dist/swagger-ui-standalone-preset.js'),
};

/** The address of a text in the folder `docs`, from which `deploy/Dockerfile` copies these. */
function textOf(name: string): string {
  return new URL(`../../../../docs/${name}`, import.meta.url).href;
}

/** The text of the document. Loaded and generated on first use: most processes never need it. */
const documents = new WeakMap<readonly AnyEndpoint[], Promise<string>>();

/** Serves the document, and pages to browse it and the texts that load nothing from other hosts. */
export function mountDocumentation(
  server: Express,
  app: AppContext,
  endpoints: readonly AnyEndpoint[],
): void {
  server.get('/api/openapi.json', async (request, response) => {
    addLocals(response, { route: '/api/openapi.json' });
    const text = documents.get(endpoints) ?? generateText(endpoints);
    documents.set(endpoints, text);
    const shown = belowPrefix(await text, pathPrefix(app.config, request));
    await sendText(app, response, {
      status: 200,
      headers: ['Cache-Control', 'no-cache', 'Content-Type', 'application/json; charset=utf-8'],
      text: shown,
      etag: entityTagOf(shown),
    });
  });
  server.use('/api/docs', withRoute('/api/docs'), pageHeaders(), documentation(app));
}

function documentation({ config }: AppContext): RequestHandler {
  const router = Router();
  for (const name of pageNames) {
    router.get(`/${name}`, (request, response) => {
      response.type('html').send(documentationPage(pathPrefix(config, request), name));
    });
  }
  router.get('/:name', ({ params }: Request<{ name: string }>, response, next) => {
    const url = Object.hasOwn(FILES, params.name) ? FILES[params.name] : undefined;
    if (url === undefined) return next();
    sendStaticFile(response, url);
  });
  return router;
}

const SERVERS = JSON.stringify({ servers: [{ url: '/' }] }).slice(1, -1);

/** The document for callers whose addresses have the prefix. */
function belowPrefix(text: string, prefix: string): string {
  return prefix === '' ? text : text.replace(SERVERS, SERVERS.replace('"/"', JSON.stringify(prefix)));
}

async function generateText(endpoints: readonly AnyEndpoint[]): Promise<string> {
  const { createDocument } = await import('./document.ts');
  return JSON.stringify(await createDocument(endpoints, version));
}

function withRoute(route: string): RequestHandler {
  return (_request, response, next) => {
    addLocals(response, { route });
    next();
  };
}
