import assert from 'node:assert/strict';
import {
  type FlavorRecord,
  type ImageRecord,
  type ServerRecord,
  serverRecord,
  volumeRecord,
} from '@gateway/openstack';
import {
  indexRelatedRecords,
  presentInstance as present,
  presentInstanceDetail as presentDetail,
  presentFlavor,
  presentImage,
  type RelatedRecords,
} from '@gateway/resources';
import { asRecord } from '../../support/doubles/as-record.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const flavors = fixtureBody<FlavorRecord[]>('compute/flavors', 'flavors').map(presentFlavor);
const images = fixtureBody<ImageRecord[]>('image/images', 'images').map(presentImage);
const volumes = fixtureBody<unknown[]>('block-storage/volumes', 'volumes').map((sent) =>
  asRecord(volumeRecord, sent),
);
const related = indexRelatedRecords({ flavors, images, volumes });
const nothing: RelatedRecords = indexRelatedRecords({ flavors: [] });

const plain = asRecord(serverRecord, fixtureBody('compute/server', 'server'));
const fromVolume = asRecord(serverRecord, fixtureBody('compute/server-from-volume', 'server'));
const failed = asRecord(serverRecord, fixtureBody('compute/server-failed', 'server'));

const member = { isAdministrator: false, mayChange: true };
const presentInstance = (server: ServerRecord, records: RelatedRecords) => present(server, records, member);
const presentInstanceDetail = (server: ServerRecord, records: RelatedRecords) =>
  presentDetail(server, records, member);

const tiny = flavors.find(({ name }) => name === 'm1.tiny')?.id;
const ubuntu = images.find(({ name }) => name === 'ubuntu-22.04')?.id;

const listed = {
  id: plain.id,
  name: 'record-plain',
  status: 'ACTIVE',
  task_state: null,
  image_id: ubuntu,
  image_name: 'ubuntu-22.04',
  flavor_id: tiny,
  flavor_name: 'm1.tiny',
  vcpus: plain.flavor.vcpus,
  ram: plain.flavor.ram,
  disk: plain.flavor.disk,
  gpu_count: 0,
  ip_addresses: Object.values(plain.addresses)
    .flat()
    .map(({ addr }, index) => ({
      addr,
      type: index === 0 ? 'fixed' : 'floating',
      network_name: 'record-net',
    })),
  created_at: plain.created,
  metadata: { purpose: 'fixtures' },
  key_name: 'record-key',
  user_id: plain.user_id,
  user_name: null,
  overlay_libraries: [],
  overlay_strategy: null,
  overlay_share_ids: [],
  overlay_upper_volume_id: null,
  overlay_upper_volume_name: null,
  workspace: null,
  managed_by: null,
  allowed_actions: [
    'stop',
    'reboot',
    'hard_reboot',
    'shelve',
    'resize',
    'rebuild',
    'rescue',
    'create_image',
    'update',
    'lock',
    'open_console',
    'attach_volume',
    'detach_volume',
    'add_interface',
    'remove_interface',
    'remove_floating_ips',
    'delete',
  ],
};

describe('presentInstance', () => {
  it('shows a server with the documented fields', () => {
    assert.ok(tiny && ubuntu);
    assert.equal(listed.ip_addresses.length, 2);
    assert.deepEqual(presentInstance(plain, related), listed);
  });

  it('takes image id and name from the boot volume of a server', () => {
    const boot = volumes.find(({ id }) => id === fromVolume['os-extended-volumes:volumes_attached'][0]?.id);
    assert.ok(boot?.volume_image_metadata?.image_id);
    const { image_id, image_name } = presentInstance(fromVolume, related);
    assert.equal(image_id, boot.volume_image_metadata.image_id);
    assert.equal(image_name, boot.volume_image_metadata.image_name);
  });

  it('has null for an unknown image, name or flavor', () => {
    const known = presentInstance(plain, nothing);
    assert.deepEqual([known.image_id, known.image_name, known.flavor_id], [ubuntu, null, null]);
    const unknown = presentInstance(fromVolume, nothing);
    assert.deepEqual([unknown.image_id, unknown.image_name], [null, null]);
  });

  it('has no id of another flavor with the same name', () => {
    const again = flavors.map((flavor) => ({ ...flavor, ram: flavor.ram * 2 }));

    const { flavor_id, flavor_name } = presentInstance(plain, indexRelatedRecords({ flavors: again }));

    assert.deepEqual([flavor_id, flavor_name], [null, 'm1.tiny']);
  });

  it('shows the layers that the metadata name', () => {
    const metadata = {
      overlay_libraries: 'python311,numpy',
      overlay_strategy: 'prebuilt',
      overlay_share_ids: 's1,s2',
      overlay_upper_volume_id: 'v1',
    };
    const instance = presentInstance({ ...plain, metadata }, related);
    assert.deepEqual(
      [
        instance.overlay_libraries,
        instance.overlay_strategy,
        instance.overlay_share_ids,
        instance.overlay_upper_volume_id,
      ],
      [['python311', 'numpy'], 'prebuilt', ['s1', 's2'], 'v1'],
    );
    assert.deepEqual(instance.metadata, metadata);
  });
});

describe('the GPUs of an instance', () => {
  const flavor = { ...plain.flavor, extra_specs: { 'pci_passthrough:alias': 'a100:2' } };

  for (const [differences, count] of [
    [{ status: 'ACTIVE' }, 2],
    [{ status: 'SHELVED' }, 2],
    [{ status: 'BUILD', hostId: '' }, 2],
    [{ status: 'SHELVED_OFFLOADED' }, 0],
    [{ status: 'DELETED' }, 0],
    [{ status: 'ERROR', hostId: 'abc' }, 2],
    [{ status: 'ERROR', hostId: '' }, 0],
  ] as const) {
    it(`are ${count} if it is ${JSON.stringify(differences)}`, () => {
      assert.equal(presentInstance({ ...plain, flavor, ...differences }, related).gpu_count, count);
    });
  }
});

describe('managed_by of an instance', () => {
  const building = { 'OS-EXT-STS:vm_state': 'building' };

  for (const [what, differences, expected] of [
    [
      'the job that is creating it',
      { ...building, metadata: { gateway_job_id: 'j1' } },
      { type: 'job', id: 'j1' },
    ],
    ['null once it is created', { metadata: { gateway_job_id: 'j1' } }, null],
    ['its lite cluster', { metadata: { gateway_cluster_id: 'c1' } }, { type: 'cluster', id: 'c1' }],
  ] as const) {
    it(`is ${what}`, () => {
      assert.deepEqual(presentInstance({ ...plain, ...differences }, nothing).managed_by, expected);
    });
  }

  it('is null while its cell is down', () => {
    const { id, tenant_id } = plain;
    const down = asRecord(serverRecord, { id, tenant_id, status: 'UNKNOWN' });

    const { allowed_actions, managed_by } = presentInstance(down, nothing);

    assert.equal(managed_by, null);
    assert.deepEqual(allowed_actions, []);
  });
});

describe('presentInstanceDetail', () => {
  it('adds the documented fields', () => {
    assert.deepEqual(presentInstanceDetail(plain, related), {
      ...listed,
      project_id: plain.tenant_id,
      project_name: null,
      availability_zone: 'nova',
      host_status: null,
      power_state: 1,
      task_state: null,
      updated_at: plain.updated,
      launched_at: plain['OS-SRV-USG:launched_at']?.replace('.000000', 'Z'),
      vcpus: 1,
      ram: 512,
      disk: 1,
      fault: null,
      security_groups: ['default'],
      volume_ids: plain['os-extended-volumes:volumes_attached'].map(({ id }) => id),
      volume_names: plain['os-extended-volumes:volumes_attached'].map(() => null),
      job_id: null,
      locked: false,
      locked_reason: null,
    });
  });

  it('shows why a server failed, without details for administrators', () => {
    const { fault } = failed;
    assert.ok(fault);
    const detail = presentInstanceDetail(
      { ...failed, fault: { ...fault, details: 'Traceback' }, host_status: '' },
      related,
    );
    assert.deepEqual(detail.fault, { code: 500, message: fault.message });
    assert.deepEqual(
      [detail.status, detail.launched_at, detail.security_groups, detail.volume_ids, detail.host_status],
      ['ERROR', null, [], [], null],
    );
  });

  it('names each security group once, although every port has it', () => {
    const groups = [{ name: 'default' }, { name: 'web' }, { name: 'default' }];
    const detail = presentInstanceDetail({ ...plain, security_groups: groups }, related);
    assert.deepEqual(detail.security_groups, ['default', 'web']);
  });

  it('names the job that created a server', () => {
    const detail = presentInstanceDetail({ ...plain, metadata: { gateway_job_id: 'j1' } }, related);
    assert.equal(detail.job_id, 'j1');
  });

  it('shows a server whose cell is down with the known fields', () => {
    // The compute service documents these fields for such a server, and no others.
    const down = asRecord(serverRecord, {
      id: plain.id,
      status: 'UNKNOWN',
      tenant_id: plain.tenant_id,
      created: plain.created,
      links: [],
    });
    const detail = presentInstanceDetail(down, related);
    const whole = presentInstanceDetail(plain, related);
    assert.deepEqual(Object.keys(detail).sort(), Object.keys(whole).sort());
    for (const [field, value] of Object.entries(detail)) assert.notEqual(value, undefined, field);
    assert.deepEqual(
      [detail.id, detail.status, detail.name, detail.flavor_name, detail.ip_addresses, detail.created_at],
      [plain.id, 'UNKNOWN', '', '', [], plain.created],
    );
    assert.deepEqual(presentInstance(down, related).metadata, {});
  });
});
