import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

const siteConfigShape = shape('SiteConfig', {
  site_name: Joi.string(),
  refresh_interval_ms: Joi.number().integer(),
  shared_fs_enabled: Joi.boolean(),
  container_infra_enabled: Joi.boolean(),
  container_enabled: Joi.boolean(),
  lite_enabled: Joi.boolean(),
});

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

async function getSiteConfig({ app }: RequestContext) {
  const { site, services } = app.config;
  return {
    site_name: site.name,
    refresh_interval_ms: site.refreshIntervalMs,
    shared_fs_enabled: services.sharedFs,
    container_infra_enabled: services.containerInfra,
    container_enabled: services.container,
    lite_enabled: services.lite,
  };
}
