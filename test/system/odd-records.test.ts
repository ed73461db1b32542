import assert from 'node:assert/strict';
import { isStream } from '../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { storeCluster } from '../support/api/clusters.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { ProjectListener } from '../support/clients/project-listener.ts';
import { eventually } from '../support/eventually.ts';
import { ObservedGateway } from '../support/odd-records/observed-gateway.ts';
import type { Place } from '../support/odd-records/observed-reads.ts';
import { ObservedReads } from '../support/odd-records/observed-reads.ts';
import { oddRows, withFreshKeys } from '../support/odd-records/odd-rows.ts';
import { placeRows } from '../support/odd-records/place-rows.ts';
import { Sweep } from '../support/odd-records/sweep.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { createOneOfEach } from '../support/subjects/one-of-each.ts';

/** A file that no machine of this cloud has reported. */
const KUBECONFIG = '/api/lite/clusters/:cluster_id/kubeconfig';
/** An entry is there for moments only, and has nothing of the services. */
const QUEUE_ENTRY = '/api/admin/queues/:queue/entries/:entry_id';
/** Have nothing of the services. */
const WEBHOOKS = /\/webhooks\b/;

/** What is removed is not shown before all of it is known. */
const NEEDS_ALL = ['/api/admin/projects/:project_id/purge'];

/** A choice of several is refused, whatever they are. */
const CHOICES = ['network'];

/**
 * By these fields jobs find what they have made, and what belongs to it. A row without one of them may be
 * what they search for.
 */
const FOUND_BY = new Set([
  'OS-EXT-SRV-ATTR:host',
  'description',
  'device_id',
  'device_owner',
  'fixed_ips',
  'metadata',
  'network_id',
  'os-vol-tenant-attr:tenant_id',
  'owner',
  'port_id',
  'project_id',
  'router_id',
  'security_group_id',
  'share_id',
  'tenant_id',
  'user_id',
  'volume_id',
]);

const reads = endpoints.filter(
  (endpoint) =>
    endpoint.method === 'GET' &&
    endpoint.response !== undefined &&
    !isStream(endpoint) &&
    endpoint.path !== KUBECONFIG &&
    endpoint.path !== QUEUE_ENTRY &&
    !WEBHOOKS.test(endpoint.path),
);

/** The types of the lists that have not been polled for the listener. The first poll of a list is a reset. */
function notPolled({ resets }: ProjectListener): string[] {
  const polled = resets.flat();
  return endpoints.flatMap(({ watched }) =>
    watched === undefined || polled.includes(watched) ? [] : [watched],
  );
}

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
  let places: Place[];

  before(async () => {
    observed = new ObservedReads();
    gateway = await ObservedGateway.start();
    member = await GatewayClient.logIn(gateway.url, testLogin('demo'));
    administrator = await GatewayClient.logIn(gateway.url, testLogin('admin'));
    gateway.cloud.rewrite = (response) => {
      observed.respond(response);
      return response.body;
    };
    ids = {
      ...(await createOneOfEach(member, gateway.cloudsim)),
      resource_type: 'instances',
      queue: 'provisioning',
    };
    const { user_id: userId } = await member.read<{ user_id: string }>('/api/auth/me');
    const nodes = { serverVmId: ids.instance_id, networkId: ids.network_id };
    const cluster = await storeCluster(gateway, { ...member, userId }, { status: 'ACTIVE', ...nodes });
    ids['lite cluster_id'] = cluster.id;
    const {
      items: [job],
    } = await member.read<{ items: { id: string }[] }>('/api/jobs');
    ids.job_id = job?.id ?? '';
    sweep = new Sweep(gateway.cloud, observed, isWhole);
    places = observed.take();
  });

  after(async () => {
    observed.stop();
    await gateway?.stop();
    console.log(`      ${sweep?.summary}`);
  });

  for (const endpoint of reads) {
    it(`cost GET ${endpoint.path} their own values only`, async () => {
      const as = endpoint.access === 'admin' ? administrator : member;
      const kind = endpoint.path.includes('/lite/') ? 'lite ' : '';
      const path = endpoint.path.replace(
        /:(\w+)/g,
        (_, name: string) => ids[`${kind}${name}`] ?? ids[name] ?? name,
      );

      const failures = await sweep.read(endpoint, NEEDS_ALL.includes(endpoint.path), () =>
        as.request('GET', path),
      );

      assert.equal(failures.length, 0, `\n${failures.join('\n')}`);
    });
  }

  it('are in the lists of jobs and listeners, which work as usual', async () => {
    const lists = places
      .filter(({ list, record }) => list !== null && !CHOICES.includes(record.name))
      .map((place) => ({
        place,
        rows: oddRows(place, (row) => withFreshKeys(place.record, row))
          .filter(({ field, isRow }) => isRow && !FOUND_BY.has(field))
          .map(({ row }) => row),
      }));
    let odd = 0;
    gateway.cloud.rewrite = (response) =>
      lists.reduce((body, { place, rows }) => {
        const rewritten = placeRows(place, rows, { ...response, body });
        if (rewritten !== body) odd += rows.length;
        return rewritten;
      }, response.body);

    const networks = await member.read<{ id: string; name: string }[]>('/api/networks');
    const instance = {
      ...(await member.smallInstanceRequest('among-odd-rows')),
      network_id: networks.find(({ name }) => name === 'demo-net')?.id,
    };
    const jobs: [string, object][] = [
      ['/api/instances/async', instance],
      ['/api/volumes/async', { name: 'among-odd-rows', size_gb: 1 }],
      ['/api/file-storage/async', { name: 'among-odd-rows', size_gb: 1, share_proto: 'NFS' }],
    ];
    const listener = new ProjectListener({ urls: [gateway.url], ...member });
    await eventually(async () => listener.readies > 0);
    for (const [path, body] of jobs) {
      const last = (await messagesOf(await member.startJob(path, body))).at(-1);
      assert.equal(last?.step.toUpperCase(), 'COMPLETED', `${path}: ${JSON.stringify(last)}`);
      if (path !== '/api/instances/async') continue;
      const id = `${last?.instance_id}`;
      // A listener that is slower than the deletion learns of it alone.
      await eventually(async () => /^created /.test(listener.of(id).join()));
      const { status, text } = await member.request('DELETE', `/api/instances/${id}`);
      assert.equal(status, 204, text);
    }
    await eventually(async () => {
      assert.deepEqual(notPolled(listener), []);
      return true;
    });
    assert.equal(listener.connections, 1);
    listener.stop();
    assert.ok(odd > 0);
  });
});
