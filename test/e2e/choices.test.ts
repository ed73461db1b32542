import assert from 'node:assert/strict';
import type {
  ClusterTemplate,
  DnsNetwork,
  SecurityService,
  ShareNetwork,
  VolumeType,
} from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';

describe('the choices of a form', function () {
  this.timeout(120_000);
  let project: NetworkProject;

  before(async () => {
    project = await NetworkProject.start();
  });

  after(() => project?.remove());

  const read = async <T>(path: string) => (await project.ask<T>('GET', path)).body;

  it('have values that the creations accept', async () => {
    const zones = await read<{ service: string; name: string }[]>('/api/availability-zones');
    const types = await read<VolumeType[]>('/api/volume-types');
    const templates = await read<ClusterTemplate[]>('/api/clusters/templates');

    const [zone] = zones.filter(({ service }) => service === 'block_storage');
    const body = { name: 'placed', size_gb: 1, availability_zone: zone?.name };
    const volume = await project.ask<{ id: string; volume_type: string }>('POST', '/api/volumes', body);
    assert.equal(volume.status, 201, volume.text);
    assert.equal(volume.body.volume_type, types.find(({ is_default }) => is_default)?.name);
    assert.ok(zones.some(({ service }) => service === 'compute'));
    assert.ok(templates.some(({ name }) => name === 'k8s-template'));
    await project.admin.call('volumev3', 'POST', `/volumes/${volume.body.id}/action`, {
      'os-force_delete': {},
    });
  });

  it("show a project's own share networks, from their creation to their deletion", async () => {
    const path = '/api/file-storage/share-networks';
    const { networkId, subnetId } = await project.makeSubnet('10.95.0.0/24');
    assert.deepEqual(await read<ShareNetwork[]>(path), []);

    const made = await project.ask<ShareNetwork>('POST', path, { name: 'exports', subnet_id: subnetId });
    const rows = await read<ShareNetwork[]>(path);
    const one = await read<ShareNetwork>(`${path}/${made.body.id}`);
    await project.isUnlisted(path, made.body.id);
    for (const method of ['GET', 'DELETE']) await project.isHidden(method, `${path}/${made.body.id}`);
    const share = { name: 'unserved', size_gb: 1, share_proto: 'NFS', share_network_id: made.body.id };
    const unserved = await project.ask<ErrorBody>('POST', '/api/file-storage', share);
    const deleted = await project.ask('DELETE', `${path}/${made.body.id}`);

    assert.equal(made.status, 201, made.text);
    assert.deepEqual(
      rows.map(({ id, name, network_id, subnet_id }) => [id, name, network_id, subnet_id]),
      [[made.body.id, 'exports', networkId, subnetId]],
    );
    assert.deepEqual(rows, [made.body]);
    assert.deepEqual(one, made.body);
    assert.ok(one.network_name !== null && one.subnet_name !== null);
    assert.deepEqual(
      [unserved.status, unserved.body.errors?.map(({ field }) => field)],
      [400, ['body.share_network_id']],
    );
    assert.equal(deleted.status, 204, deleted.text);
    assert.deepEqual(await read<ShareNetwork[]>(path), []);
  });

  it('keep a share network that a share is in', async () => {
    const path = '/api/file-storage/share-networks';
    const { subnetId } = await project.makeSubnet('10.97.0.0/24');
    const network = await project.make<ShareNetwork>(path, { name: 'used', subnet_id: subnetId });
    // The service accepts the share, whose type has no share servers, and fails to create it.
    const body = { share_proto: 'NFS', size: 1, share_network_id: network.id };
    const direct = project.cloud;
    type Answer = { share: { id: string; status: string } };
    const { share } = await direct.call<Answer>('sharev2', 'POST', '/shares', { share: body });
    await eventually(
      async () =>
        (await direct.call<Answer>('sharev2', 'GET', `/shares/${share.id}`)).share.status === 'error',
    );

    const refused = await project.ask<ErrorBody>('DELETE', `${path}/${network.id}`);
    const removed = await project.ask('DELETE', `/api/file-storage/${share.id}`);

    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(refused.body.detail, /1 share\(s\)/);
    assert.equal(removed.status, 204, removed.text);
    await eventually(async () => (await project.ask('DELETE', `${path}/${network.id}`)).status === 204);
  });

  it('make a share network with an Active Directory', async () => {
    const networks = '/api/file-storage/share-networks';
    const services = '/api/file-storage/security-services';
    const password = 'Directory-Password-4711';
    const body = { type: 'active_directory', dns_ip: '10.0.0.5', domain: 'ad.example.org', user: 'joins' };
    const network = (await project.ask<ShareNetwork>('POST', networks, { name: 'office' })).body;
    const made = await project.ask<SecurityService>('POST', services, { name: 'ad', ...body, password });
    assert.equal(made.status, 201, made.text);
    const one = `${services}/${made.body.id}`;
    const pair = `${networks}/${network.id}/security-services/${made.body.id}`;
    const status = async (method: string, path: string) => (await project.ask(method, path)).status;

    for (let time = 1; time <= 2; time += 1) assert.equal(await status('PUT', pair), 204);
    const rows = await read<SecurityService[]>(services);
    const [found, filtered] = [
      await read<SecurityService>(one),
      await read<SecurityService[]>(`${services}?share_network_id=${network.id}`),
    ];
    assert.deepEqual([rows, filtered], [[found], [found]]);
    assert.deepEqual(found, {
      ...made.body,
      share_network_ids: [network.id],
      share_network_names: ['office'],
    });
    assert.ok(!JSON.stringify([rows, made.text]).includes(password));
    await project.isUnlisted(services, made.body.id);
    for (const method of ['GET', 'DELETE']) await project.isHidden(method, one);
    for (const method of ['PUT', 'DELETE']) await project.isHidden(method, pair);

    assert.equal(await status('DELETE', one), 409);
    assert.equal(await status('DELETE', pair), 204);
    assert.equal(await status('DELETE', pair), 404);
    assert.equal(await status('DELETE', one), 204);
    assert.equal(await status('GET', one), 404);
    assert.equal(await status('DELETE', `${networks}/${network.id}`), 204);
  });

  it('show a new network with a domain at once', async () => {
    const path = '/api/networks/dns';
    assert.deepEqual(await read<DnsNetwork[]>(path), []);
    const network = { name: 'named', dns_domain: 'e2e.example.org.' };
    const { id } = await project.direct<{ id: string }>('POST', '/networks', { network });
    // Any change of a network through the gateway.
    await project.make('/api/networks', { name: 'nameless' });

    const rows = await read<DnsNetwork[]>(path);

    assert.deepEqual(
      rows.map((row) => [row.id, row.dns_domain]),
      [[id, 'e2e.example.org.']],
    );
    await project.isUnlisted(path, id);
  });
});
