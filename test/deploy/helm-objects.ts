import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root } from '../support/source/workspaces.ts';
import { type KubernetesObject, readObjects, type Size } from './kubernetes-objects.ts';

export const chartFolder = join(root, 'deploy/helm');

/** The oldest version of Kubernetes that the documentation names. */
const KUBERNETES = '1.29';

/** The values of a chart, as far as the tests set them. */
export type Values = Record<string, unknown>;

/** The installation that `deploy/kubernetes/overlays` describes, of each size. */
export function exampleValues(size: Size): Values {
  const sentinels = ['redis-1', 'redis-2', 'redis-3'].map((name) => `${name}.example.org:26379`);
  return {
    image: { repository: 'registry.example.org/cloud-resource-gateway' },
    settings: {
      gateway: { name: 'example' },
      identity: { url: 'https://identity.example.org/v3', region: 'RegionTwo' },
      public_endpoint: { url: 'https://gateway.example.org' },
      service_user: { username: 'gateway', project_name: 'service' },
      http: { cors_origins: ['https://dashboard.example.org'] },
      ...(size === 'small' ? {} : { redis: { sentinels, sentinel_name: 'gateway' } }),
    },
    secrets: {
      values: {
        GATEWAY_SEALING_KEYS: `main:${Buffer.alloc(32).toString('base64')}`,
        REDIS_URL: 'redis://redis:6379',
        GATEWAY_SERVICE_PASSWORD: 'secret',
      },
    },
    networkPolicies: {
      clusterNetworks: {
        ipv4: ['10.42.0.0/16', '10.43.0.0/16', '192.0.2.0/24'],
        ipv6: ['fd00:10:42::/56', 'fd00:10:43::/112', '2001:db8::/64'],
      },
    },
  };
}

interface ValuesOfRelease {
  size?: Size;
  values?: Values[];
}

interface Rendering extends ValuesOfRelease {
  release?: string;
  /** Further arguments of helm. */
  args?: readonly string[];
}

/** What the chart renders with the values of a size and further ones. @throws what helm says */
export function chartObjects(
  helm: string,
  { release = 'gateway', args = [], ...options }: Rendering,
): KubernetesObject[] {
  return readObjects(
    runHelm(helm, ['template', release, chartFolder, '--kube-version', KUBERNETES, ...args], options),
  );
}

/** Fails for a fault of the chart, and for values that it does not know. @throws what helm says */
export function lintChart(helm: string, options: ValuesOfRelease): string {
  return runHelm(helm, ['lint', '--strict', chartFolder, '--kube-version', KUBERNETES], options);
}

/** What helm prints. @throws what helm says */
export function runHelm(
  helm: string,
  args: readonly string[],
  { size, values = [] }: ValuesOfRelease = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-values-'));
  try {
    const files = values.map((each, at) => {
      const file = join(folder, `${at}.yaml`);
      writeFileSync(file, stringify(each));
      return file;
    });
    if (size !== undefined) files.unshift(join(chartFolder, 'sizes', `${size}.yaml`));
    const given = files.flatMap((file) => ['--values', file]);
    // Helm keeps no settings of this machine's user in mind.
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync(helm, [...args, ...given], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
