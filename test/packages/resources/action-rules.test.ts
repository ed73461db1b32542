import assert from 'node:assert/strict';
import {
  allowedActions,
  fileStorageActions,
  instanceActions,
  loadBalancerActions,
  NOBODY,
} from '@gateway/resources';
import { serverOf } from '../../support/api/compute.ts';

const member = { isAdministrator: false, mayChange: true };
const reader = NOBODY;

describe('the actions on an instance', () => {
  it('allow readers what reads only', () => {
    assert.deepEqual(allowedActions(instanceActions, serverOf(), reader), ['open_console']);
  });

  it('allow only administrators to act on a locked instance', () => {
    const locked = serverOf({ locked: true });

    const ofMember = allowedActions(instanceActions, locked, member);
    const ofAdministrator = allowedActions(instanceActions, locked, { ...member, isAdministrator: true });

    assert.deepEqual(ofMember, [
      'create_image',
      'update',
      'lock',
      'unlock',
      'open_console',
      'add_floating_ip',
      'remove_floating_ips',
    ]);
    assert.deepEqual(ofAdministrator, allowedActions(instanceActions, serverOf(), member));
  });
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
