import type { Secrets } from './secrets.ts';
import type { settings } from './settings/index.ts';
import type { ValueOf } from './settings/kinds.ts';
import type { librarySetting } from './settings/libraries.ts';

export type { ServiceName } from './settings/cloud.ts';
export type { QueueName } from './settings/jobs.ts';

/**
 * The loaded configuration: the settings with their keys in camelCase, and the secrets. Loading replaces the
 * null of two settings. `docs/settings.md` has all settings.
 */
export type Config = ValueOf<typeof settings> & {
  redis: { cacheUrl: string };
  builds: { constraints: string[] };
  secrets: Secrets;
};

export type IdentityConfig = Config['identity'];
export type AdminScope = IdentityConfig['adminScope'];
export type UpstreamConfig = Config['upstream'];
export type SsoProvider = Config['sso']['providers'][number];
export type RedisConfig = Config['redis'];
export type HttpConfig = Config['http'];
export type OptionalServices = Config['services'];
export type SessionConfig = Config['session'];
export type CacheConfig = Config['cache'];
export type RateLimitName = Exclude<keyof Config['rateLimits'], 'sharedNetworks'>;
export type TimeLimits = Config['timeLimits'];
export type JobsConfig = Config['jobs'];
export type FileStorageDefaults = Config['fileStorage'];
type BuildDefaults = Config['builds'];
export type InterpreterArchive = BuildDefaults['interpreters'][number];
export type LibraryDefinition = ValueOf<typeof librarySetting>;
export type LibraryBuild = LibraryDefinition['build'];
type FirstBootConfig = Config['firstBoot'];
export type AptSourceConfig = FirstBootConfig['aptSources'][number];
export type GpuConfig = Config['gpu'];
export type GpuDeviceConfig = GpuConfig['devices'][number];
export type LiteConfig = Config['lite'];
export type LiteAllowedFrom = LiteConfig['allowedFrom'];
export type LitePluginsConfig = LiteConfig['plugins'];
export type K3sSource = LiteConfig['k3s'];
export type RegistryMirror = K3sSource['registries'][number];
export type TracingConfig = Config['tracing'];
