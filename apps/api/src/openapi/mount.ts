import type { Express, RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import type { AppContext } from '../context.ts';
import { pageHeaders } from '../http/response/headers.ts';
import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { sendText } from '../pipeline/send.ts';
import { version } from '../version.ts';
import { createDocument } from './document.ts';

/** Serves the document, and a page to browse the document that loads nothing from other hosts. */
export function mountDocumentation(
  server: Express,
  app: AppContext,
  endpoints: readonly AnyEndpoint[],
): void {
  let text: string | null = null;
  server.get('/api/openapi.json', async (_request, response) => {
    response.locals.route = '/api/openapi.json';
    // Generated on first use, to keep the start fast.
    text ??= JSON.stringify(createDocument(endpoints, version));
    await sendText(app, response, {
      status: 200,
      headers: ['Content-Type', 'application/json; charset=utf-8'],
      text,
    });
  });
  server.use(
    '/api/docs',
    withRoute('/api/docs'),
    pageHeaders(),
    swaggerUi.serve,
    swaggerUi.setup(undefined, {
      customSiteTitle: 'Cloud Resource Gateway',
      swaggerOptions: { url: '/api/openapi.json', validatorUrl: null },
    }),
  );
}

function withRoute(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}
