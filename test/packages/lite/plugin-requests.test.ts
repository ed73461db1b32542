import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { aggregatePlugins, type PluginKey, pluginAccessRules, pluginKeys } from '@gateway/lite';
import { type AccessRule, serviceTypes } from '@gateway/openstack';
import type { ServiceName } from '@gateway/platform';
import { keyId, pluginSettings } from './plugin-settings.ts';

interface PluginRequests {
  /** Of the programs' images; null for a plugin without programs of the cloud provider. */
  version: string | null;
  recorded: string[];
  from_source: Record<string, string[]>;
  checks: string[];
}

const fixture = new URL('../../fixtures/plugins/requests.json', import.meta.url);
const requestsOf: Record<PluginKey, PluginRequests> = JSON.parse(readFileSync(fixture, 'utf8'));

/** All requests of a plugin, as `<method> <service> <path>`. */
function allRequests(key: PluginKey): string[] {
  const { checks, from_source, recorded } = requestsOf[key];
  return [...recorded, ...Object.values(from_source).flat(), ...checks];
}

/** Whether the services compare the rule and the request as equal. */
function permits(rule: AccessRule, request: string): boolean {
  const [method = '', service = '', path = ''] = request.split(' ');
  const pattern = rule.path
    .split('**')
    .map((part) => part.split('*').map(RegExp.escape).join('[^/]+'))
    .join('.*');
  return (
    rule.method === method &&
    serviceTypes(service as ServiceName).includes(rule.service) &&
    new RegExp(`^${pattern}$`).test(path.replaceAll('{key}', keyId))
  );
}

describe('the access rules of each plugin', () => {
  for (const key of pluginKeys) {
    const rules = pluginAccessRules([key], { keyId });

    it(`permit every request of ${key}`, () => {
      const refused = allRequests(key).filter((request) => !rules.some((rule) => permits(rule, request)));

      assert.deepEqual(refused, []);
    });

    it(`permit nothing that no program of ${key} asks for`, () => {
      const idle = rules.filter((rule) => !allRequests(key).some((request) => permits(rule, request)));

      assert.deepEqual(idle, []);
    });

    it(`are those of the version of ${key} that is installed`, () => {
      const [plugin] = aggregatePlugins([key], pluginSettings()).plugins;
      const versions = [...(plugin?.manifests ?? '').matchAll(/\/provider-os\/[a-z0-9-]+:(v[0-9.]+)/g)];

      const expected = requestsOf[key].version ?? [];
      assert.deepEqual([...new Set(versions.map(([, version]) => version))], [expected].flat());
    });
  }
});
