import assert from 'node:assert/strict';
import {
  type CreatedKeypair,
  type FlavorRecord,
  imageRecord,
  type KeypairRecord,
  type ListenerRecord,
  type PortRecord,
  type ProjectRecord,
  type SubnetRecord,
  type UserRecord,
} from '@gateway/openstack';
import {
  presentFlavor,
  presentImage,
  presentInterface,
  presentKeypair,
  presentListener,
  presentNewKeypair,
  presentProfile,
  presentProject,
  presentSubnetDetail,
} from '@gateway/resources';
import { asRecord } from '../../support/doubles/as-record.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { recordedIdentity } from '../openstack/cloud.ts';

describe('presenters', () => {
  it('show an image', () => {
    const image = asRecord(imageRecord, fixtureBody('image/image'));
    assert.deepEqual(presentImage(image), {
      id: image.id,
      name: 'ubuntu-22.04',
      status: 'active',
      visibility: 'public',
      owner: image.owner,
      owner_name: null,
      size: 1048576,
      min_disk: 1,
      min_ram: 0,
      disk_format: 'raw',
      os_distro: 'ubuntu',
      os_hidden: false,
      protected: false,
      created_at: image.created_at,
    });
  });

  it('show an image of a volume with its size', () => {
    const image = asRecord(imageRecord, fixtureBody('image/image'));
    const device = { boot_index: 0, source_type: 'snapshot', snapshot_id: 's1', volume_size: 30 };
    const sizes = (block_device_mapping: string) => {
      const { min_disk, size } = presentImage({ ...image, size: 0, min_disk: 1, block_device_mapping });
      return [size, min_disk];
    };

    assert.deepEqual(sizes(JSON.stringify([device])), [30 * 2 ** 30, 30]);
    assert.deepEqual(sizes(JSON.stringify([null, { ...device, volume_size: null }])), [2 ** 30, 1]);
    for (const none of [
      '',
      'None',
      '{}',
      '[]',
      'null',
      '[1]',
      JSON.stringify([{ ...device, source_type: 'volume' }]),
    ]) {
      assert.deepEqual(sizes(none), [0, 1], none);
    }
  });

  it('show an image without data', () => {
    const image = fixtureBody<object>('image/image');
    const none = { name: null, owner: null, size: null, disk_format: null, os_distro: undefined };
    const bare = presentImage(asRecord(imageRecord, { ...image, ...none, status: 'queued' }));
    assert.deepEqual(
      [bare.name, bare.owner, bare.size, bare.disk_format, bare.os_distro, bare.status],
      ['', null, 0, '', '', 'queued'],
    );
  });

  it('show what restricts or opens a listener, a port and a subnet', () => {
    const [listener] = fixtureBody<ListenerRecord[]>('load-balancer/listeners', 'listeners');
    const [port] = fixtureBody<PortRecord[]>('network/ports', 'ports');
    const [subnet] = fixtureBody<SubnetRecord[]>('network/subnets', 'subnets');
    assert.ok(listener && port && subnet);
    const allowed_address_pairs = [{ ip_address: '192.0.2.0/24', mac_address: 'fa:16:3e:00:00:01' }];
    const modes = { ipv6_address_mode: 'slaac', ipv6_ra_mode: 'slaac' };
    const of = { id: 'lb', name: 'lb' };

    const limited = presentListener({ ...listener, allowed_cidrs: ['192.0.2.0/24'] }, of);
    const shown = presentInterface({ ...port, port_security_enabled: false, allowed_address_pairs });

    assert.deepEqual(limited.allowed_cidrs, ['192.0.2.0/24']);
    assert.deepEqual(
      [shown.port_security_enabled, shown.allowed_address_pairs],
      [false, allowed_address_pairs],
    );
    assert.partialDeepStrictEqual(presentSubnetDetail({ ...subnet, ...modes }), modes);
  });

  it('show a flavor and its GPUs', () => {
    const flavor = fixtureBody<FlavorRecord>('compute/flavor', 'flavor');
    assert.deepEqual(presentFlavor(flavor), {
      id: flavor.id,
      name: 'm1.tiny',
      vcpus: 1,
      ram: 512,
      disk: 1,
      is_public: true,
      extra_specs: {},
      is_gpu: false,
      gpu_count: 0,
    });
    const withGpus = presentFlavor({ ...flavor, extra_specs: { 'resources:VGPU': '2' } });
    assert.deepEqual([withGpus.is_gpu, withGpus.gpu_count], [true, 2]);
  });

  it('show the key pairs of a list', () => {
    const [{ keypair } = { keypair: {} as KeypairRecord }] = fixtureBody<{ keypair: KeypairRecord }[]>(
      'compute/keypairs',
      'keypairs',
    );
    assert.deepEqual(presentKeypair(keypair), {
      name: 'demo-key',
      fingerprint: keypair.fingerprint,
      type: 'ssh',
      created_at: null,
    });
  });

  it('show a new key pair, with a generated private key only', () => {
    const made = fixtureBody<CreatedKeypair>('compute/keypair-create', 'keypair');
    const { name, fingerprint, public_key, private_key } = made;
    assert.ok(private_key);
    assert.deepEqual(presentNewKeypair(made), { name, fingerprint, public_key, private_key });
    assert.deepEqual(presentNewKeypair({ ...made, private_key: null }), { name, fingerprint, public_key });
  });

  it('show a project', () => {
    const [project] = fixtureBody<ProjectRecord[]>('identity/projects-mine', 'projects');
    assert.ok(project);
    assert.deepEqual(presentProject(project, new Map([['default', 'Default']])), {
      id: project.id,
      name: project.name,
      description: project.description,
      enabled: true,
      domain_id: 'default',
      domain_name: 'Default',
    });
  });

  it('show a profile, with null for missing values', () => {
    const identity = recordedIdentity();
    const user = fixtureBody<UserRecord>('identity/user', 'user');
    const profile = {
      user_id: user.id,
      username: 'demo',
      email: 'demo@example.test',
      domain_id: 'default',
      domain_name: 'Default',
      default_project_id: null,
      default_project_name: null,
      enabled: true,
      roles: ['member', 'reader'],
    };
    assert.deepEqual(presentProfile(identity, user), profile);
    assert.deepEqual(presentProfile(identity, { ...user, email: '', default_project_id: 'p1' }), {
      ...profile,
      email: null,
      default_project_id: 'p1',
    });
  });
});
