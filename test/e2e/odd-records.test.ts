import assert from 'node:assert/strict';
import { isStream } from '../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { ObservedGateway } from '../support/odd-records/observed-gateway.ts';
import { ObservedReads } from '../support/odd-records/observed-reads.ts';
import { Sweep } from '../support/odd-records/sweep.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { createOneOfEach } from '../support/subjects/one-of-each.ts';

/** There are no lite clusters in this cloud. */
const WITHOUT_ROWS = /lite\/clusters\/:cluster_id/;

/** What is removed is not shown before all of it is known. */
const NEEDS_ALL = ['/api/admin/projects/:project_id/purge'];

const reads = endpoints.filter(
  (endpoint) =>
    endpoint.method === 'GET' &&
    endpoint.response !== undefined &&
    !isStream(endpoint) &&
    !WITHOUT_ROWS.test(endpoint.path),
);

/** `TEST_SWEEP=whole` tries every odd value of single records as well, which takes minutes. */
const isWhole = process.env.TEST_SWEEP === 'whole';

describe('odd records of the services', function () {
  this.timeout(isWhole ? 3_600_000 : 240_000);
  let gateway: ObservedGateway;
  let observed: ObservedReads;
  let sweep: Sweep;
  let member: GatewayClient;
  let administrator: GatewayClient;
  let ids: Record<string, string>;

  before(async () => {
    observed = new ObservedReads();
    gateway = await ObservedGateway.start();
    member = await GatewayClient.logIn(gateway.url, testLogin('demo'));
    administrator = await GatewayClient.logIn(gateway.url, testLogin('admin'));
    ids = { ...(await createOneOfEach(member, gateway.cloudsim)), resource_type: 'instances' };
    const {
      items: [job],
    } = await member.read<{ items: { id: string }[] }>('/api/jobs');
    ids.job_id = job?.id ?? '';
    sweep = new Sweep(gateway.cloud, observed, isWhole);
  });

  after(async () => {
    observed.stop();
    await gateway?.stop();
    console.log(`      ${sweep?.summary}`);
  });

  for (const endpoint of reads) {
    it(`cost GET ${endpoint.path} their own values only`, async () => {
      const as = endpoint.access === 'admin' ? administrator : member;
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);

      const failures = await sweep.read(endpoint, NEEDS_ALL.includes(endpoint.path), () =>
        as.request('GET', path),
      );

      assert.equal(failures.length, 0, `\n${failures.join('\n')}`);
    });
  }
});
