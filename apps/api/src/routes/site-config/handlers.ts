import type { RequestContext } from '../../pipeline/request-context.ts';

export async function getDashboardConfig({ app }: RequestContext) {
  const { site, services } = app.config;
  return {
    refresh_interval_ms: site.refreshIntervalMs,
    shared_fs_enabled: services.sharedFs,
    container_infra_enabled: services.containerInfra,
    container_enabled: services.container,
    lite_enabled: services.lite,
  };
}

export async function getSiteConfig(request: RequestContext) {
  return { site_name: request.app.config.site.name, ...(await getDashboardConfig(request)) };
}
