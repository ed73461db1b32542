import { missingBuildSettings } from '@gateway/libraries';
import { missingLiteSettings } from '@gateway/lite';
import type { ServiceName } from '@gateway/platform';
import type { AppContext } from '../../context.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { DashboardConfig, SiteConfig } from './shapes.ts';

/** The configuration with the services of the caller's catalog. */
export async function getDashboardConfig({ app, caller }: RequestContext): Promise<DashboardConfig> {
  return dashboardConfig(app, (service) => caller.identity.endpoints[service] !== undefined);
}

/** The configuration before a log-in, with the services that this process knows. */
export async function getSiteConfig({ app, requestId }: RequestContext): Promise<SiteConfig> {
  const hasService = await app.seenCatalog.services(requestId);
  const { site, identity } = app.config;
  return {
    site_name: site.name,
    region: identity.region,
    sisters: site.sisters,
    ...dashboardConfig(app, hasService),
  };
}

/**
 * A service is enabled if it is switched on here and the cloud has it, and another feature if the
 * configuration has all that it needs.
 */
function dashboardConfig(
  { config }: AppContext,
  hasService: (service: ServiceName) => boolean,
): DashboardConfig {
  const { libraries, serviceUser, services, session, site } = config;
  const hasSharedFs = services.sharedFs && hasService('sharedFileSystem');
  const hasPrebuilt = hasSharedFs && serviceUser !== null;
  return {
    refresh_interval_ms: site.refreshIntervalMs,
    shared_fs_enabled: hasSharedFs,
    container_infra_enabled: services.containerInfra && hasService('containerInfra'),
    container_enabled: services.container && hasService('container'),
    lite_enabled: services.lite && missingLiteSettings(config).length === 0,
    auto_backup_enabled: serviceUser !== null,
    prebuilt_enabled: hasPrebuilt,
    builds_enabled: hasPrebuilt && libraries.some((one) => missingBuildSettings(config, one).length === 0),
    cookies_enabled: session.cookies,
  };
}
