import assert from 'node:assert/strict';
import { CloudClient, type ServiceType } from '../support/clients/cloud-client.ts';
import { type GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  prepareNetwork,
  preparePrebuiltShare,
  prepareServer,
  removeWhenUnused,
} from '../support/projects/prepared-cloud.ts';
import { externalNetworkId } from '../support/projects/prepared-project.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { failedJob, LeftoverList } from '../support/subjects/leftovers.ts';

/** A resource that the suite makes by hand. */
interface Made {
  type: string;
  id: string;
  /** False once it is removed. */
  exists(): Promise<boolean>;
}

const MISSING = '00000000-0000-4000-8000-000000000000';

describe('stray resources in the hands of an administrator', function () {
  this.timeout(300_000);
  let suite: AdminStack;
  let member: GatewayClient;
  let cloud: CloudClient;
  let list: LeftoverList;
  let networkId: string;
  let externalId: string;

  before(async () => {
    suite = await AdminStack.start({
      apis: 1,
      workers: 1,
      config: { jobs: { late_call_seconds: 120 } },
    });
    member = await suite.logIn(testLogin('demo'));
    cloud = await CloudClient.logIn(suite.stack.identityUrl ?? '', testLogin('demo'));
    list = new LeftoverList((method, path, body) => suite.ask(method, path, body));
    const network = await prepareNetwork(cloud, 'e2e-leftovers');
    networkId = network.id;
    suite.atEnd(() => removeWhenUnused(network));
    externalId = await externalNetworkId(cloud);
  });

  after(() => suite?.stop());

  async function make(
    type: string,
    [service, path, key]: [service: ServiceType, path: string, key: string],
    fields: object,
  ): Promise<Made> {
    const answer = await cloud.call<Record<string, { id: string }>>(service, 'POST', path, { [key]: fields });
    const id = answer[key]?.id ?? '';
    suite.atEnd(() => cloud.call(service, 'DELETE', `${path}/${id}`, undefined, [404]));
    const read = () =>
      cloud.call<Record<string, { status?: string } | undefined>>(
        service,
        'GET',
        `${path}/${id}`,
        undefined,
        [404],
      );
    await eventually(async () => ((await read())[key]?.status === 'creating' ? undefined : true));
    return { type, id, exists: async () => (await read())[key] !== undefined };
  }

  const metadata = (jobId: string | null): Record<string, string> =>
    jobId === null ? {} : { gateway_job_id: jobId };
  const description = (jobId: string | null) => (jobId === null ? 'mine' : `gateway job ${jobId}`);
  const name = 'e2e-leftover';

  const makeVolume = (mark: Record<string, string>) =>
    make('volume', ['volumev3', '/volumes', 'volume'], { name, size: 1, metadata: mark });
  const makePort = (text: string) =>
    make('port', ['network', '/v2.0/ports', 'port'], { name, network_id: networkId, description: text });
  const makeFloatingIp = (text: string) =>
    make('floating_ip', ['network', '/v2.0/floatingips', 'floatingip'], {
      floating_network_id: externalId,
      description: text,
    });

  /** One of each type, with the mark of a job or without. */
  const makeAll = (jobId: string | null) =>
    Promise.all([
      makeVolume(metadata(jobId)),
      makePort(description(jobId)),
      makeFloatingIp(description(jobId)),
      make('security_group', ['network', '/v2.0/security-groups', 'security_group'], {
        name: `e2e-${crypto.randomUUID()}`,
        description: description(jobId),
      }),
      make('share', ['sharev2', '/shares', 'share'], {
        name,
        size: 1,
        share_proto: 'NFS',
        share_type: 'default',
        metadata: jobId === null ? {} : { overlay_type: 'dynamic', overlay_instance: jobId },
      }),
    ]);

  it('are listed and removed only with the mark of a dead job', async () => {
    const jobId = await failedJob(member);
    const strays = await makeAll(jobId);
    const neighbours = await makeAll(null);

    const ids = [...strays, ...neighbours].map(({ id }) => id);
    const rows = await list.rows(ids);

    assert.deepEqual(Object.keys(rows).sort(), strays.map(({ id }) => id).sort());
    for (const { type, id } of strays) {
      const { name: _name, created_at, ...row } = rows[id] ?? {};
      assert.ok(Math.abs(Date.parse(created_at ?? '') - Date.now()) < 600_000);
      assert.deepEqual(row, {
        type,
        id,
        project_id: member.projectId,
        project_name: 'demo',
        job_id: jobId,
        instance_id: null,
        cluster_id: null,
        source: 'mark',
        reason: `Job ${jobId} has failed, and no instance has it.`,
        is_removable: true,
        doubt: null,
      });
    }
    for (const { type, id, exists } of neighbours) {
      const refusal = await list.refusal(409, type, id, { force: true });
      assert.equal(refusal.code, 'not_a_leftover');
      assert.match(refusal.detail, /does not bear the mark/);
      assert.equal(await exists(), true);
    }
    const [ports, others] = [true, false].map((isPort) =>
      strays.filter(({ type }) => (type === 'port') === isPort),
    );
    const kept = await list.remove('port', ports?.[0]?.id ?? '');
    assert.equal(kept.status, 'failed');
    assert.match(kept.error ?? '', /until no share grants access/);
    for (const { type, id, exists } of [...(others ?? []), ...(ports ?? [])]) {
      const job = await list.remove(type, id);
      assert.deepEqual([job.type, job.status], ['leftover.remove', 'completed'], job.error ?? '');
      assert.equal(await exists(), false, `the ${type} is gone`);
      assert.equal((await list.refusal(404, type, id)).code, 'not_found');
    }
    assert.deepEqual(await list.rows(ids), {});
    const { items } = await suite.read<{ items: { route: string; status: number; resource_id: string }[] }>(
      `/api/admin/audit?resource_id=${strays[0]?.id}`,
    );
    assert.deepEqual(
      items.map(({ route, status, resource_id }) => [route, status, resource_id]),
      [404, 202].map((status) => [
        '/api/admin/leftovers/{type}/{resource_id}/remove',
        status,
        `volume/${strays[0]?.id}`,
      ]),
    );
  });

  it('lose the access of their address to shared libraries with their port', async () => {
    const jobId = await failedJob(member);
    const share = await preparePrebuiltShare(suite.cloud, {
      library: { id: 'e2e-leftovers', version: '1' },
      protocol: 'NFS',
      shareType: 'default',
    });
    suite.atEnd(() => share.remove());
    const port = await makePort(description(jobId));
    const allow = (address: string, job: string) =>
      suite.cloud.call('sharev2', 'POST', `/shares/${share.id}/action`, {
        allow_access: {
          access_type: 'ip',
          access_to: address,
          access_level: 'ro',
          metadata: { gateway_project_id: member.projectId, gateway_job_id: job },
        },
      });
    await allow('10.88.0.77', jobId);
    await allow('10.88.0.78', crypto.randomUUID());

    const job = await list.remove('port', port.id);

    assert.equal(job.status, 'completed', job.error ?? '');
    assert.equal(await port.exists(), false);
    assert.equal((await suite.cloud.accessRules(share.id)).length, 1);
  });

  it('are servers too, but only of a job that has failed', async () => {
    const jobId = await failedJob(member);
    const server = await prepareServer(cloud);
    suite.atEnd(() => server.remove());
    const mark = (id: string) =>
      cloud.call('compute', 'POST', `/servers/${server.id}/metadata`, { metadata: metadata(id) });
    await mark(crypto.randomUUID());
    assert.deepEqual(await list.rows([server.id]), {});
    assert.equal((await list.refusal(409, 'server', server.id, { force: true })).code, 'not_a_leftover');

    await mark(jobId);

    assert.equal((await list.rows([server.id]))[server.id]?.is_removable, true);
    const job = await list.remove('server', server.id);
    assert.equal(job.status, 'completed', job.error ?? '');
    // A server that is deleted can still be read for a moment.
    const path = `/servers/${server.id}`;
    const gone = await cloud.call<{ server?: { status: string } }>('compute', 'GET', path, undefined, [404]);
    assert.equal(gone.server?.status ?? 'DELETED', 'DELETED');
  });

  it('are in doubt if they are young, copied, or of unknown jobs', async () => {
    const unknown = crypto.randomUUID();
    const volume = await makeVolume(metadata(unknown));
    const port = await makePort(description(unknown));

    const rows = await list.rows([volume.id, port.id]);

    assert.match(rows[volume.id]?.doubt ?? '', /backup/);
    assert.match(rows[port.id]?.doubt ?? '', /another gateway/);
    for (const { type, id, exists } of [volume, port]) {
      assert.equal((await list.refusal(409, type, id)).code, 'leftover_in_doubt');
      assert.equal(await exists(), true);
      const job = await list.remove(type, id, { force: true });
      assert.equal(job.status, 'completed', job.error ?? '');
      assert.equal(await exists(), false);
    }
  });

  it('are floating IPs of an instance that does not exist', async () => {
    const lost = await makeFloatingIp(`gateway instance ${crypto.randomUUID()}`);
    const row = (await list.rows([lost.id]))[lost.id];
    assert.deepEqual([row?.is_removable, row?.doubt, row?.job_id], [true, null, null]);
    assert.equal((await list.remove('floating_ip', lost.id)).status, 'completed');
    assert.equal(await lost.exists(), false);
  });

  it('exclude resources that an instance has or that outlast it', async () => {
    const request = { ...(await member.smallInstanceRequest(name)), network_id: networkId };
    const last = (await messagesOf(await member.createInstance(request))).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    const instanceId = last.instance_id ?? '';
    suite.atEnd(() => member.request('DELETE', `/api/instances/${instanceId}`));
    const { job_id: jobId } = await member.read<{ job_id: string }>(`/api/instances/${instanceId}`);
    const detached = await makeVolume(metadata(jobId));
    const kept = await makeVolume({ ...metadata(jobId), gateway_keep_volume: 'true' });
    const volumes = await member.read<{ id: string }[]>('/api/volumes?refresh=true');
    const own = [
      ...volumes.map(({ id }) => ({ type: 'volume', id })),
      { type: 'server', id: instanceId },
      await makePort(description(jobId)),
      await makeFloatingIp(description(jobId)),
      await makeFloatingIp(`gateway instance ${instanceId}`),
    ];
    assert.ok([detached, kept].every(({ id }) => own.some((one) => one.id === id)));

    assert.deepEqual(await list.rows(own.map(({ id }) => id)), {});
    for (const { type, id } of own) {
      assert.equal((await list.refusal(409, type, id, { force: true })).code, 'not_a_leftover');
    }
  });

  it('have the known types', async () => {
    await suite.refused(400, /./, ['POST', `/api/admin/leftovers/flavor/${MISSING}/remove`]);
    for (const type of ['server', 'volume', 'backup', 'share', 'port', 'floating_ip', 'security_group']) {
      assert.equal((await list.refusal(404, type, MISSING)).code, 'not_found', type);
    }
    assert.equal((await list.refusal(404, 'volume', 'detail')).code, 'not_found');
  });
});
