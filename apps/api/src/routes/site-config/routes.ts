import { endpoint } from '../../pipeline/endpoint.ts';
import { getSiteConfig } from './handlers.ts';
import { siteConfigShape } from './shapes.ts';

export const siteConfigEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/site-config',
    tag: { name: 'site', description: 'Configuration of the site' },
    summary: 'Configuration that a dashboard needs before log-in',
    access: 'public',
    response: siteConfigShape,
    handler: getSiteConfig,
  }),
];
