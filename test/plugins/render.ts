import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLUSTER_METADATA_KEY } from '@gateway/core';
import {
  agentNodeName,
  calledServices,
  claimMarks,
  controlNodeFirstBootData,
  credentialName,
  isServiceLoadBalancer,
  type PluginKey,
  pluginAccessRules,
  pluginKeys,
  securityGroupName,
  serverNodeName,
} from '@gateway/lite';
import { type Config, loadConfig } from '@gateway/platform';
import { aggregateFor, type PluginPlan } from '../../apps/worker/src/sagas/lite-clusters/plugins.ts';

const DEFINITION = 'CustomResourceDefinition';
/** The name of the default share type of the bed's clouds. */
const SHARE_TYPE = 'default';

/**
 * What the gateway gives to a cluster: names, marks and access rules on the standard output, and manifests,
 * files and first-boot data in a folder. The bed calls it in place of its own `lib/render.mjs`, which knows
 * an older arrangement of this repository. Its arguments are the repository, a file with the settings, and
 * the folder; without the folder it only prints.
 */
const [, , , settingsFile = '', folder] = process.argv;
const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as BedSettings;
const config = configOf(settings);
const facts = factsOf(settings, config);
if (folder !== undefined) writeNodeData(settings, config, { folder, facts });
console.log(JSON.stringify(facts, null, 2));

/** A cluster on the plugins' bed. Without `network`, only its names and access rules are known. */
interface BedSettings {
  name: string;
  id: string;
  projectId: string;
  plugins?: PluginKey[];
  /** The number of workers. */
  agents?: number;
  keyId?: string | null;
  credential?: { id: string; secret: string } | null;
  network?: PluginPlan['network'];
  floatingNetworkId?: string | null;
  address?: string;
  /** Keys of the gateway's configuration file. */
  config?: object;
  /** Load balancers, of which some belong to the cluster. */
  balancers?: { name: string | null }[];
}

function configOf({ config = {} }: BedSettings): Config {
  const file = join(tmpdir(), `gateway-render-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(config));
  const sealingKey = randomBytes(32).toString('base64');
  return loadConfig({ GATEWAY_CONFIG: file, GATEWAY_SEALING_KEYS: `k:${sealingKey}` });
}

function clusterOf({ id, name, plugins = [...pluginKeys] }: BedSettings) {
  return { id, name, plugins };
}

function factsOf(settings: BedSettings, config: Config) {
  const { agents = 1, balancers = [], keyId = null, name, id } = settings;
  const cluster = clusterOf(settings);
  return {
    name,
    id,
    plugins: cluster.plugins,
    serverName: serverNodeName(cluster),
    agentNames: Array.from({ length: agents }, (_, index) => agentNodeName(cluster, index + 1)),
    securityGroup: securityGroupName(cluster),
    credentialName: credentialName(cluster),
    serverMetadata: { [CLUSTER_METADATA_KEY]: id },
    limitCredentials: config.lite.limitCredentials,
    accessRules: pluginAccessRules(cluster.plugins, { keyId }),
    calledServices: calledServices(cluster.plugins, { keyId }),
    claimMarks,
    ownBalancers: balancers.map((balancer) => isServiceLoadBalancer(name, balancer.name ?? '')),
  };
}

function writeNodeData(
  settings: BedSettings,
  config: Config,
  { folder, facts }: { folder: string; facts: object },
): void {
  const { address = '192.0.2.10', credential = null, floatingNetworkId = null, keyId = null } = settings;
  if (settings.network === undefined) throw new Error('The settings have no network.');
  const plan = { network: settings.network, floatingNetworkId, share: { type: SHARE_TYPE, networkId: null } };
  const cluster = clusterOf(settings);
  const { version: k3sVersion } = config.lite.k3s;
  const inputs = { plan, credential, keyId, k3sVersion };
  const added = aggregateFor({ config, projectId: settings.projectId }, cluster, inputs);
  const nowhere = 'http://127.0.0.1:9/api/lite/callback';
  const firstBootData = controlNodeFirstBootData({
    k3s: config.lite.k3s,
    registryCredentials: [],
    serverArguments: added.serverArguments,
    gpu: null,
    files: added.files,
    plugins: added.plugins,
    nodeName: serverNodeName(cluster),
    tlsSans: [address],
    address,
    callback: { url: nowhere, progressUrl: nowhere, caPem: null, token: 'none' },
    renewal: { url: nowhere, token: 'none' },
    timeLimitSeconds: 1200,
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('first-boot-data', firstBootData);
  for (const { key, manifests } of added.plugins) write(`${key}-manifests.yaml`, manifests);
  // The bed applies each file once. Control nodes repeat until the custom resources of a file exist.
  const items = added.plugins.flatMap(({ objects }) => objects).filter(({ kind }) => kind === DEFINITION);
  if (items.length > 0) {
    write('definitions-manifests.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  }
  const plugins = [...(items.length > 0 ? [{ key: 'definitions' }] : []), ...added.plugins];
  write('rendered.json', JSON.stringify({ ...facts, ...added, plugins }, null, 2));
}
