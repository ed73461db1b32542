import type { Express, RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import type { AppContext } from '../context.ts';
import { pageHeaders } from '../http/response/headers.ts';
import type { AnyEndpoint } from '../pipeline/endpoint.ts';
import { sendText } from '../pipeline/send.ts';
import { version } from '../version.ts';

/** Serves the document, and a page to browse the document that loads nothing from other hosts. */
export function mountDocumentation(
  server: Express,
  app: AppContext,
  endpoints: readonly AnyEndpoint[],
): void {
  let text: Promise<string> | null = null;
  server.get('/api/openapi.json', async (_request, response) => {
    response.locals.route = '/api/openapi.json';
    // Loaded and generated on first use: most processes never need it, and start with less memory.
    text ??= generateText(endpoints);
    await sendText(app, response, {
      status: 200,
      headers: ['Content-Type', 'application/json; charset=utf-8'],
      text: await text,
    });
  });
  server.use(
    '/api/docs',
    withRoute('/api/docs'),
    pageHeaders(),
    swaggerUi.serve,
    swaggerUi.setup(undefined, {
      customSiteTitle: 'Cloud Resource Gateway',
      swaggerOptions: {
        url: '/api/openapi.json',
        validatorUrl: null,
        // A reload keeps the token that was entered under Authorize.
        persistAuthorization: true,
        // The tags fit on one screen; their operations would not.
        docExpansion: 'none',
        deepLinking: true,
        filter: true,
      },
    }),
  );
}

async function generateText(endpoints: readonly AnyEndpoint[]): Promise<string> {
  const { createDocument } = await import('./document.ts');
  return JSON.stringify(createDocument(endpoints, version));
}

function withRoute(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}
