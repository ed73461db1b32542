import assert from 'node:assert/strict';
import type { Image, InstanceDetail, SecurityGroup, Volume } from '@gateway/resources';
import { eventually } from '../support/eventually.ts';
import { NetworkProject } from '../support/projects/network-project.ts';

const LIMIT_MS = 180_000;
const SIZE_GB = 2;

interface Row {
  id: string;
  status: string;
}

/** What users of the services themselves make, and the gateway does not. */
describe('resources of a real cloud that the gateway does not make', function () {
  this.timeout(3 * LIMIT_MS);
  let project: NetworkProject;

  before(async () => {
    project = await NetworkProject.start({
      startsJobs: true,
      // Less than the volume of the image, which has to win.
      config: { instances: { boot_volume_size_gb: 1 } },
    });
  });

  after(() => project?.remove());

  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await project.ask<T>(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };

  it('include rules for address groups, which show that they are restricted', async () => {
    const address_group = { name: 'office', addresses: ['203.0.113.0/28'] };
    const { id } = await project.direct<Row>('POST', '/address-groups', { address_group });
    const security_group_id = (await ask<Row>('POST', '/api/security-groups', { name: 'for-office' })).id;
    await project.direct('POST', '/security-group-rules', {
      security_group_rule: { security_group_id, direction: 'ingress', remote_address_group_id: id },
    });

    const groups = await ask<SecurityGroup[]>('GET', '/api/security-groups?refresh=true');

    const own = groups.find((group) => group.id === security_group_id);
    const restricted = own?.rules.filter(({ direction }) => direction === 'ingress') ?? [];
    assert.deepEqual(
      restricted.map((rule) => [rule.remote_address_group_id, rule.remote_ip_prefix]),
      [[id, null]],
    );
    await ask('DELETE', `/api/security-groups/${security_group_id}`);
    await project.direct('DELETE', `/address-groups/${id}`);
  });

  it('include images that are snapshots of volumes, from which instances start', async () => {
    const { networkId } = await project.makeSubnet('10.97.0.0/24', 'from-snapshot');
    const call = project.cloud.call.bind(project.cloud);
    const until = <T>(check: () => Promise<T | undefined | false>) => eventually(check, LIMIT_MS);
    const request = { ...(await project.mine.smallInstanceRequest('origin')), network_id: networkId };
    const origin = await ask<InstanceDetail>('POST', '/api/instances', {
      ...request,
      boot_volume_size_gb: SIZE_GB,
    });
    await call('compute', 'POST', `/servers/${origin.id}/action`, { createImage: { name: 'of-volume' } });
    const image = await until(async () => {
      const images = await ask<Image[]>('GET', '/api/images?refresh=true');
      return images.find(({ name, status }) => name === 'of-volume' && status === 'active');
    });

    const copy = await ask<InstanceDetail>('POST', '/api/instances', {
      ...request,
      name: 'copy',
      image_id: image.id,
      boot_volume_size_gb: undefined,
    });

    const volumes = await ask<Volume[]>('GET', '/api/volumes?refresh=true');
    const boot = volumes.find(({ attachments }) =>
      attachments.some(({ server_id }) => server_id === copy.id),
    );
    assert.equal(boot?.size, SIZE_GB);
    for (const { id } of [copy, origin]) await ask('DELETE', `/api/instances/${id}`);
    await ask('DELETE', `/api/images/${image.id}`);
    const { snapshots } = await call<{ snapshots: Row[] }>('volumev3', 'GET', '/snapshots');
    for (const { id } of snapshots) await call('volumev3', 'DELETE', `/snapshots/${id}`);
    await until(async () => {
      const left = await call<{ volumes: Row[] }>('volumev3', 'GET', '/volumes');
      const rest = await call<{ snapshots: Row[] }>('volumev3', 'GET', '/snapshots');
      return left.volumes.length + rest.snapshots.length === 0;
    });
  });
});
