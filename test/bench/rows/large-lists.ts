import { startCloudsim } from '../../../apps/cloudsim/src/server.ts';
import { startStack } from '../../../scripts/stack.ts';
import { demoServiceUser } from '../../../scripts/stack-environment.ts';
import { CloudClient } from '../../support/clients/cloud-client.ts';
import { GatewayClient } from '../../support/clients/gateway-client.ts';
import { growCloud } from '../../support/load/cloudsim-rows.ts';
import { testLogin } from '../../support/stacks/test-stack.ts';
import { highestResidentKib, residentKib } from '../process-memory.ts';
import type { Row } from '../row.ts';

const SIZE = { servers: 2000, ports: 5000, projects: 200 };
const ROUNDS = 10;
const BUDGET_MIB = 300;

const LISTS = [
  '/api/admin/all-ports',
  '/api/admin/topology',
  '/api/admin/overview',
  '/api/admin/overview/projects?refresh=true',
  '/api/admin/monitoring/summary',
  '/api/admin/all-instances?limit=100',
  '/api/admin/all-networks',
  '/api/admin/all-routers',
  '/api/admin/all-floating-ips',
  '/api/admin/projects',
];

/**
 * The peak memory of an api process since its start, while administrators read ten lists of
 * a large cloud at once.
 */
export async function largeLists(redisUrl: string): Promise<Row> {
  const cloudsim = await startCloudsim({ delayScale: 0 });
  const stack = await startStack({
    redisUrl,
    workers: 0,
    cloudsim: false,
    identityUrl: cloudsim.identityUrl,
    discardLogs: true,
    env: demoServiceUser,
    // Nothing is cached, so that each round reads everything from the cloud.
    config: { redis: { key_prefix: 'bench-large:' }, cache: { admin_seconds: 0, transition_seconds: 0 } },
  });
  try {
    await makeServer(await CloudClient.logIn(cloudsim.identityUrl, testLogin('demo')));
    growCloud(cloudsim.cloud, SIZE);
    const administrator = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const pid = stack.apis[0]?.pid ?? 0;
    const idleMib = residentKib(pid) / 1024;
    let bytes = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(LISTS.map((path) => administrator.request('GET', path)));
      const failed = answers.find(({ status }) => status !== 200);
      if (failed !== undefined) throw new Error(`A list was answered with ${failed.status}: ${failed.text}`);
      bytes = answers.reduce((sum, { text }) => sum + text.length, 0);
    }
    const highestMib = highestResidentKib(pid) / 1024;
    return {
      name: `${LISTS.length} large lists of administrators at once, memory`,
      unit: 'MiB',
      gateway: highestMib,
      floor: null,
      result: highestMib,
      resultUnit: 'MiB',
      budget: `<= ${BUDGET_MIB} MiB`,
      met: highestMib <= BUDGET_MIB,
      note: `${Math.round(idleMib)} MiB before; ${(bytes / 1e6).toFixed(1)} MB of responses in each of ${ROUNDS} rounds`,
    };
  } finally {
    await stack.stop();
    await cloudsim.close();
  }
}

/** The server and the port that are copied. */
async function makeServer(cloud: CloudClient): Promise<void> {
  const { images } = await cloud.call<{ images: { id: string }[] }>('image', 'GET', '/v2/images');
  const { flavors } = await cloud.call<{ flavors: { id: string }[] }>('compute', 'GET', '/flavors');
  const { networks } = await cloud.call<{ networks: { id: string; name: string }[] }>(
    'network',
    'GET',
    '/v2.0/networks',
  );
  await cloud.call('compute', 'POST', '/servers', {
    server: {
      name: 'bench-large',
      flavorRef: flavors[0]?.id,
      imageRef: images[0]?.id,
      networks: [{ uuid: networks.find(({ name }) => name.startsWith('demo'))?.id }],
    },
  });
}
