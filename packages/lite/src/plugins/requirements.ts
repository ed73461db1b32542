import type { AccessRule } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import type { PluginKey } from '../plugin-keys.ts';
import { accessRules } from './access-request.ts';
import type { ClusterKey } from './plugin.ts';
import { plugins } from './plugins.ts';

/** The unavailable services that the plugins need, each with a plugin that needs it. */
export function missingServices(
  keys: readonly PluginKey[],
  isAvailable: (service: ServiceName) => boolean,
): { key: PluginKey; service: ServiceName }[] {
  return keys.flatMap((key) =>
    plugins[key].requires.filter((service) => !isAvailable(service)).map((service) => ({ key, service })),
  );
}

/** The services that a plugin needs and calls with the cluster's credential, without duplicates. */
export function calledServices(keys: readonly PluginKey[], key: ClusterKey): ServiceName[] {
  const called = keys.flatMap((name) => {
    const services = plugins[name].requests(key).map(({ service }) => service);
    return plugins[name].requires.filter((service) => services.includes(service));
  });
  return [...new Set(called)];
}

/** Whether one of these plugins calls the cloud. */
export function pluginsUseCredential(keys: readonly PluginKey[]): boolean {
  return pluginAccessRules(keys, { keyId: 'any' }).length > 0;
}

/**
 * The access rules of the application credential for these plugins, without duplicates. Empty if no
 * plugin uses a credential.
 *
 * @param key the cluster's key. It must exist before the credential, so that the credential
 * can read only this key
 */
export function pluginAccessRules(keys: readonly PluginKey[], key: ClusterKey): AccessRule[] {
  return accessRules(keys.flatMap((name) => plugins[name].requests(key)));
}
