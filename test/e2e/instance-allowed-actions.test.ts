import assert from 'node:assert/strict';
import { type Instance, type InstanceAction, instanceActions } from '@gateway/resources';
import type { ErrorBody } from '../support/api/client.ts';
import { eventually } from '../support/eventually.ts';
import { InstanceStack } from '../support/stacks/instance-stack.ts';

type Detail = Instance & { volume_ids: string[] };
type Call = [method: string, path: string, body?: object];

/** What brings an ACTIVE instance into each state that lasts. */
const STATES = {
  ACTIVE: null,
  SHUTOFF: 'stop',
  SHELVED_OFFLOADED: 'shelve',
  ERROR: 'fail',
  VERIFY_RESIZE: 'resize',
  RESCUE: 'rescue',
} as const;

/** What brings it back. */
const BACK: Record<string, string> = {
  SHUTOFF: 'start',
  SHELVED_OFFLOADED: 'unshelve',
  ERROR: 'recover',
  VERIFY_RESIZE: 'revert-resize',
  RESCUE: 'unrescue',
};

/** They change nothing when repeated: then rows leave them out, and they are accepted. */
const REPEATABLE: InstanceAction[] = ['lock', 'unlock', 'remove_floating_ips'];

const EACH = Object.keys(instanceActions).filter((name) => name !== 'delete') as InstanceAction[];

describe('the actions that an instance allows', function () {
  this.timeout(900_000);
  let instances: InstanceStack;
  let id: string;
  let volumeId: string;
  let networkId: string;
  let bodies: Record<string, object>;
  /** By the name of the flavor that the instance has: the id of another one. */
  let flavors: Record<string, string>;

  before(async () => {
    instances = await InstanceStack.start();
    id = await instances.create();
    volumeId = await instances.createVolume('data');
    const [network] = await instances.gateway.read<{ network_id: string }[]>(
      `/api/instances/${id}/interfaces`,
    );
    networkId = network?.network_id ?? '';
    const { image_id } = await instances.gateway.smallInstanceRequest('image');
    bodies = { rebuild: { image_id }, rescue: { image_id: await instances.makeRescueImage() } };
    flavors = {
      'm1.small': await idOf('/api/flavors', 'm1.tiny'),
      'm1.tiny': await idOf('/api/flavors', 'm1.small'),
    };
  });

  after(async () => {
    await instances?.removeImages();
    await instances?.delete(id);
    await instances?.project.cloud.call('volumev3', 'DELETE', `/volumes/${volumeId}`, undefined, [404]);
    await instances?.stop();
  });

  for (const [status, way] of Object.entries(STATES)) {
    it(`are accepted, and the others refused, while it is ${status}`, async () => {
      await reach(status, way);
      const before = await detail();
      const [row] = await instances.gateway.read<Instance[]>('/api/instances?refresh=true');
      assert.deepEqual(row?.allowed_actions, before.allowed_actions);

      const others = EACH.filter((name) => !before.allowed_actions.includes(name));
      for (const name of others) {
        const answer = await instances.ask<ErrorBody>(...(await refusedCall(name, before)));
        if (REPEATABLE.includes(name)) assert.ok(answer.status < 300, `${name}: ${answer.text}`);
        else
          assert.deepEqual([answer.status, answer.body?.code], [409, 'conflict'], `${name}: ${answer.text}`);
      }

      for (const name of EACH) {
        await reach(status, way);
        // What one action has attached or locked, the next can detach or unlock.
        if (!(await detail()).allowed_actions.includes(name)) {
          assert.ok(others.includes(name), name);
          continue;
        }
        const answer = await instances.ask(...(await acceptedCall(name)));
        assert.ok(answer.status < 300, `${name}: ${answer.text}`);
        if (name === 'attach_volume') await instances.untilVolume(volumeId, 'in-use');
        // Meanwhile the instance shows no task.
        if (name === 'confirm_resize') await instances.untilStatus(id, 'ACTIVE');
      }
      await reach('ACTIVE', null);
    });
  }

  it('belong to a machine that nothing else manages', async () => {
    const { allowed_actions, managed_by } = await detail();

    assert.equal(managed_by, null);
    assert.ok(allowed_actions.includes('delete'));
  });

  const detail = () => instances.gateway.read<Detail>(`/api/instances/${id}`);

  async function reach(status: string, way: string | null): Promise<void> {
    for (;;) {
      const now = await eventually(async () => {
        const current = await detail();
        return current.task_state === null ? current.status : undefined;
      });
      if (now === status) return;
      await take(now === 'ACTIVE' ? (way ?? '') : (BACK[now] ?? ''));
    }
  }

  async function take(way: string): Promise<void> {
    if (way !== 'fail' && way !== 'recover') {
      const answer = await instances.ask('POST', `${id}/${way}`, await bodyFor(way));
      assert.ok(answer.status < 300, `${way}: ${answer.text}`);
      return;
    }
    await instances.admin.call('compute', 'POST', `/servers/${id}/action`, {
      'os-resetState': { state: way === 'fail' ? 'error' : 'active' },
    });
  }

  async function refusedCall(name: InstanceAction, { volume_ids }: Detail): Promise<Call> {
    if (name === 'detach_volume') return ['DELETE', `${id}/volumes/${volume_ids[0]}`];
    if (name === 'remove_interface') return ['DELETE', `${id}/interfaces/${(await ports())[0]}`];
    return acceptedCall(name);
  }

  /** What is attached is detached by the call that comes after it. */
  async function acceptedCall(name: InstanceAction): Promise<Call> {
    switch (name) {
      case 'attach_volume':
        return ['POST', `${id}/volumes`, { volume_id: volumeId }];
      case 'detach_volume':
        return ['DELETE', `${id}/volumes/${volumeId}`];
      case 'add_interface':
        await instances.untilVolume(volumeId, 'available');
        return ['POST', `${id}/interfaces`, { net_id: networkId }];
      case 'remove_interface':
        return ['DELETE', `${id}/interfaces/${(await ports()).at(-1)}`];
      case 'add_floating_ip':
        return ['POST', `${id}/floating-ip`];
      case 'remove_floating_ips':
        return ['DELETE', `${id}/floating-ip`];
      case 'open_console':
        return ['GET', `${id}/console`];
      case 'hard_reboot':
        return ['POST', `${id}/reboot`, { type: 'hard' }];
      case 'create_image':
        return ['POST', `${id}/images/async`, { name: 'made' }];
      case 'update':
        return ['PUT', id, { name: 'renamed' }];
      default:
        return ['POST', `${id}/${name.replace('_', '-')}`, await bodyFor(name)];
    }
  }

  async function bodyFor(name: string): Promise<object | undefined> {
    return name === 'resize' ? { flavor_id: flavors[(await detail()).flavor_name] } : bodies[name];
  }

  async function idOf(path: string, name: string): Promise<string> {
    const rows = await instances.gateway.read<{ id: string; name: string }[]>(path);
    return rows.find((row) => row.name === name)?.id ?? '';
  }

  async function ports(): Promise<string[]> {
    const rows = await instances.gateway.read<{ port_id: string }[]>(`/api/instances/${id}/interfaces`);
    return rows.map(({ port_id }) => port_id);
  }
});
