import assert from 'node:assert/strict';
import { JOB_METADATA_KEY } from '@gateway/core';
import {
  allowedActions,
  backupActions,
  fileStorageActions,
  instanceActions,
  loadBalancerActions,
  NOBODY,
  requireAllowed,
  snapshotActions,
  type VolumeState,
  volumeActions,
} from '@gateway/resources';
import { serverOf } from '../../support/api/compute.ts';

const member = { isAdministrator: false, mayChange: true };
const reader = NOBODY;

const VOLUMES = 'os-extended-volumes:volumes_attached';

function address(type: 'fixed' | 'floating', port: string, version = 4) {
  return { addr: type, version, 'OS-EXT-IPS:type': type, 'OS-EXT-IPS-MAC:mac_addr': `mac-${port}` };
}

describe('the actions on an instance', () => {
  it('allow readers what reads only', () => {
    assert.deepEqual(allowedActions(instanceActions, serverOf(), reader), ['open_console']);
  });

  it('allow only administrators to act on a locked instance', () => {
    const locked = serverOf({ locked: true });

    const ofMember = allowedActions(instanceActions, locked, member);
    const ofAdministrator = allowedActions(instanceActions, locked, { ...member, isAdministrator: true });

    assert.deepEqual(ofMember, ['create_image', 'update', 'unlock', 'open_console', 'remove_floating_ips']);
    const unlocked = allowedActions(instanceActions, serverOf(), member);
    assert.deepEqual(
      ofAdministrator,
      unlocked.map((name) => (name === 'lock' ? 'unlock' : name)),
    );
  });

  for (const [what, addresses, expected] of [
    ['only the addition without one', [address('fixed', 'a')], ['add_floating_ip']],
    [
      'only the release if its port has one',
      [address('fixed', 'a'), address('floating', 'a')],
      ['remove_floating_ips'],
    ],
    [
      'both if one of two ports has one',
      [address('fixed', 'a'), address('fixed', 'b'), address('floating', 'a')],
      ['add_floating_ip', 'remove_floating_ips'],
    ],
    ['none without an IPv4 address', [address('fixed', 'a', 6)], []],
  ] as const) {
    it(`offer of floating IPs ${what}`, () => {
      const server = serverOf({ addresses: { net: addresses } });

      const offered = allowedActions(instanceActions, server, member);

      assert.deepEqual(
        offered.filter((name) => name.includes('floating_ip')),
        expected,
      );
    });
  }

  for (const [what, differences, isOffered] of [
    ['none without a volume', { image: { id: 'image' } }, false],
    ['none with its boot volume alone', { image: null, [VOLUMES]: [{ id: 'boot' }] }, false],
    [
      'none with the layer of its libraries alone',
      {
        image: { id: 'image' },
        [VOLUMES]: [{ id: 'upper' }],
        metadata: { overlay_upper_volume_id: 'upper' },
      },
      false,
    ],
    ['a volume beside its boot volume', { image: null, [VOLUMES]: [{ id: 'boot' }, { id: 'data' }] }, true],
    ['a volume of an instance with an image', { image: { id: 'image' }, [VOLUMES]: [{ id: 'data' }] }, true],
  ] as const) {
    it(`offer to detach ${what}`, () => {
      const server = serverOf({ [VOLUMES]: [], ...differences });

      assert.equal(allowedActions(instanceActions, server, member).includes('detach_volume'), isOffered);
    });
  }
});

describe('the actions on a volume', () => {
  const attachment = { attachment_id: 'a', host_name: null, server_id: 'server', device: '/dev/vdb' };
  const volumeOf = (differences: Partial<VolumeState>): VolumeState => ({
    status: 'in-use',
    bootable: 'false',
    multiattach: false,
    metadata: {},
    attachments: [attachment],
    ...differences,
  });

  for (const [what, volume, isOffered] of [
    ['a volume of an instance', volumeOf({}), true],
    ['a bootable volume that is a later disk', volumeOf({ bootable: 'true' }), true],
    [
      'none that an instance boots from',
      volumeOf({ bootable: 'true', attachments: [{ ...attachment, device: '/dev/vda' }] }),
      false,
    ],
    ['none that was created with its instance', volumeOf({ metadata: { [JOB_METADATA_KEY]: 'job' } }), false],
    [
      'a volume with a restored copy of one that was',
      volumeOf({ metadata: { [JOB_METADATA_KEY]: 'job', src_backup_id: 'backup' } }),
      true,
    ],
    ['none of a host', volumeOf({ attachments: [{ ...attachment, server_id: null }] }), false],
    ['none that is not in use', volumeOf({ status: 'available', attachments: [] }), false],
    ['none that is being detached', volumeOf({ status: 'detaching' }), false],
  ] as const) {
    it(`offer to detach ${what}`, () => {
      assert.equal(allowedActions(volumeActions, volume, member).includes('detach'), isOffered);
    });
  }
});

describe('the actions on a backup', () => {
  for (const [what, backup, expected] of [
    ['that is available', { status: 'available' }, ['restore', 'delete']],
    ['that later ones depend on', { status: 'available', has_dependent_backups: true }, ['restore']],
    ['that has failed', { status: 'error' }, ['delete']],
    ['that is being restored', { status: 'restoring' }, []],
  ] as const) {
    it(`${what} are those of its state`, () => {
      const state = { has_dependent_backups: false, ...backup };

      assert.deepEqual(allowedActions(backupActions, state, member), expected);
    });
  }
});

describe('the actions on a file storage', () => {
  const stateOf = (status: string, metadata = {}) => ({ status, metadata });

  for (const [what, share, expected] of [
    ['that is available', stateOf('available'), ['add_access_rule', 'remove_access_rule', 'delete']],
    ['that has failed', stateOf('error'), ['remove_access_rule', 'delete']],
    ['that is changing', stateOf('extending'), ['remove_access_rule']],
    ['with a library', stateOf('available', { overlay_type: 'prebuilt' }), []],
  ] as const) {
    it(`${what} are those of its state`, () => {
      assert.deepEqual(allowedActions(fileStorageActions, share, member), expected);
    });
  }
});

describe('the actions on a load balancer', () => {
  const state = { vip_address: '10.0.0.9', vip_port_id: 'port' };
  const all = ['update', 'add_listener', 'add_pool', 'associate_floating_ip', 'delete'];

  for (const [provisioning_status, expected] of [
    ['ACTIVE', all],
    ['PENDING_UPDATE', all],
    ['ERROR', ['associate_floating_ip', 'delete']],
    ['PENDING_DELETE', ['associate_floating_ip']],
  ] as const) {
    it(`are those of its state ${provisioning_status}`, () => {
      assert.deepEqual(
        allowedActions(loadBalancerActions, { ...state, provisioning_status }, member),
        expected,
      );
    });
  }
});

describe('a refusal of a file storage', () => {
  for (const [status, hint] of [
    ['extending', ' If this state does not end, an administrator can reset it.'],
    ['error_deleting', ' An administrator can reset this state.'],
    ['awaiting_transfer', ''],
  ] as const) {
    it(`${hint === '' ? 'recommends no reset' : 'recommends a reset'} in the state ${status}`, () => {
      assert.throws(() => requireAllowed(fileStorageActions.delete, { status }, member), {
        message: `The file storage is ${status} and cannot be deleted in this state.${hint}`,
      });
    });
  }
});

describe('a refusal after a deletion that has failed', () => {
  const failed = { status: 'error_deleting', has_dependent_backups: false };
  const reset = 'An administrator can reset this state.';

  it('names the force-delete of a volume', () => {
    const volume = { ...failed, attachments: [], bootable: 'false', metadata: {}, multiattach: false };

    assert.throws(() => requireAllowed(volumeActions.delete, volume, member), {
      message: `The volume cannot be deleted in its state error_deleting: only a force-delete removes it now. ${reset}`,
    });
  });

  it('recommends a reset of snapshots and backups', () => {
    for (const [rule, noun] of [
      [snapshotActions.delete, 'snapshot'],
      [backupActions.delete, 'backup'],
    ] as const) {
      assert.throws(() => requireAllowed(rule, failed, member), {
        message: `The ${noun} cannot be deleted in its state error_deleting: it has to be available or failed. ${reset}`,
      });
    }
  });
});
