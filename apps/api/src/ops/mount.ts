import type { Express, RequestHandler } from 'express';
import type { AppContext } from '../context.ts';

/** Mounts the operators' page, whose code and libraries are loaded with its first request. */
export function mountOperatorsPage(server: Express, app: AppContext): void {
  let page: Promise<RequestHandler> | null = null;
  server.use('/ops', async (request, response, next) => {
    page ??= import('./router.ts').then(({ operatorsPage }) => operatorsPage(app));
    const handle = await page;
    await handle(request, response, next);
  });
}
