import Joi from 'joi';
import { rateLimitsSettings, sessionSettings } from './callers.ts';
import { identitySettings, serviceUserSettings, upstreamSettings } from './cloud.ts';
import { firstBootSettings } from './first-boot.ts';
import { fileStorageSettings, gpuSettings, instancesSettings } from './instances.ts';
import { autoBackupSettings, jobsSettings, timeLimitsSettings } from './jobs.ts';
import { keyed, type ValueOf } from './kinds.ts';
import { buildsSettings, librarySetting } from './libraries.ts';
import {
  auditSettings,
  cacheSettings,
  eventsSettings,
  historySettings,
  timeSeriesSettings,
} from './lists.ts';
import { liteSettings } from './lite.ts';
import {
  gatewaySettings,
  httpSettings,
  listenSettings,
  logSettings,
  metricsSettings,
  opsSettings,
  publicEndpointSettings,
  servicesSettings,
  siteSettings,
  tracingSettings,
  webhooksSettings,
} from './processes.ts';
import { redisSettings } from './redis.ts';
import { ssoSettings } from './sso.ts';

/** All settings, as the file has them. The file contains no secrets. */
export const settings = keyed({
  gateway: gatewaySettings,
  identity: identitySettings,
  sso: ssoSettings,
  upstream: upstreamSettings,
  service_user: serviceUserSettings,
  redis: redisSettings,
  listen: listenSettings,
  http: httpSettings,
  public_endpoint: publicEndpointSettings,
  site: siteSettings,
  services: servicesSettings,
  session: sessionSettings,
  cache: cacheSettings,
  events: eventsSettings,
  rate_limits: rateLimitsSettings,
  time_limits: timeLimitsSettings,
  jobs: jobsSettings,
  auto_backup: autoBackupSettings,
  instances: instancesSettings,
  file_storage: fileStorageSettings,
  builds: buildsSettings,
  first_boot: firstBootSettings,
  gpu: gpuSettings,
  time_series: timeSeriesSettings,
  audit: auditSettings,
  history: historySettings,
  libraries: Joi.array<ValueOf<typeof librarySetting>[]>()
    .items(librarySetting)
    .description(
      'The catalogue of libraries, in place of that of the gateway: Python, and common packages for it.',
    ),
  lite: liteSettings,
  webhooks: webhooksSettings,
  metrics: metricsSettings,
  tracing: tracingSettings,
  ops: opsSettings,
  log: logSettings,
});
