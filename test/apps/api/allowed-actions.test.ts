import assert from 'node:assert/strict';
import {
  type ActionRule,
  allowedActions,
  backupActions,
  fileStorageActions,
  type Instance,
  instanceActions,
  loadBalancerActions,
  managedClusterActions,
  type ServerState,
  snapshotActions,
  volumeActions,
} from '@gateway/resources';
import { liteClusterActions } from '../../../apps/api/src/resources/lite-cluster-actions.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { computeAnswers, serverOf } from '../../support/api/compute.ts';
import { startWithCaller } from '../../support/api/refusals.ts';
import { apiSuite } from '../../support/api/suite.ts';

const TABLES = {
  instances: instanceActions,
  volumes: volumeActions,
  snapshots: snapshotActions,
  backups: backupActions,
  'file storages': fileStorageActions,
  'load balancers': loadBalancerActions,
  clusters: managedClusterActions,
  'lite clusters': liteClusterActions,
};

describe('the rules of actions', () => {
  const declared = new Set(
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  );

  for (const [type, rules] of Object.entries(TABLES)) {
    it(`of ${type} name endpoints that exist`, () => {
      const missing = Object.values(rules).filter(({ endpoint }) => !declared.has(endpoint));

      assert.deepEqual(missing, []);
    });
  }
});

/** The states of virtual machines, and the statuses by which the compute service shows them. */
const VM_STATES = {
  building: 'BUILD',
  active: 'ACTIVE',
  paused: 'PAUSED',
  suspended: 'SUSPENDED',
  stopped: 'SHUTOFF',
  rescued: 'RESCUE',
  resized: 'VERIFY_RESIZE',
  shelved: 'SHELVED',
  shelved_offloaded: 'SHELVED_OFFLOADED',
  error: 'ERROR',
};

const TASKS = [null, 'powering-off', 'rebooting', 'deleting'];

/** Each names what the state of the instance decides, and needs no body and no other resource. */
const SIMPLE = ['start', 'stop', 'reboot', 'shelve', 'unshelve', 'open_console'] as const;

describe('the actions on a lite cluster', () => {
  const member = { isAdministrator: false, mayChange: true };
  const reader = { isAdministrator: false, mayChange: false };
  const active = { status: 'ACTIVE' as const, credential: null, plugins: [] };

  it('are changes while it is ACTIVE and no job is changing it', () => {
    const allowed = (busyWith: string | null) =>
      allowedActions(liteClusterActions, { cluster: active, busyWith }, member);

    assert.deepEqual(allowed(null), ['scale', 'repair', 'upgrade', 'get_kubeconfig', 'delete']);
    assert.deepEqual(allowed('job'), ['get_kubeconfig', 'delete']);
  });

  it('are its deletion in other states, and none once it is deleted', () => {
    const allowed = (status: 'CREATING' | 'DELETED' | 'ERROR') =>
      allowedActions(liteClusterActions, { cluster: { ...active, status }, busyWith: null }, member);

    assert.deepEqual(
      [allowed('CREATING'), allowed('ERROR'), allowed('DELETED')],
      [['delete'], ['delete'], []],
    );
  });

  it('are for readers only the file for tokens', () => {
    const withTokens = { ...active, plugins: ['identity_auth' as const] };

    assert.deepEqual(allowedActions(liteClusterActions, { cluster: active, busyWith: null }, reader), []);
    assert.deepEqual(allowedActions(liteClusterActions, { cluster: withTokens, busyWith: null }, reader), [
      'get_kubeconfig',
    ]);
  });
});

describe('the actions in the detail of an instance', () => {
  const suite = apiSuite();

  for (const [vmState, status] of Object.entries(VM_STATES)) {
    for (const task of TASKS) {
      it(`are those that are not refused while it is ${vmState}${task === null ? '' : ` and ${task}`}`, async () => {
        const server = serverOf({
          status,
          'OS-EXT-STS:vm_state': vmState,
          'OS-EXT-STS:task_state': task,
          image: '',
          'os-extended-volumes:volumes_attached': [],
        });
        const { api, caller } = await startWithCaller(suite);
        const path = `/api/instances/${server.id}`;
        const answerServer = () => computeAnswers(suite.cloud, `GET /servers/${server.id}`, { server });
        suite.cloud.reply('compute/flavors', { body: { flavors: [] } });
        answerServer();
        const { body } = await api.get<Instance>(path, { as: caller });

        for (const name of SIMPLE) {
          answerServer();
          const [method = '', end] = endpointOf(name);
          if (body.allowed_actions.includes(name)) answerAction(server.id, name);
          const answer = await api.request<ErrorBody>(method, `${path}${end}`, { as: caller });

          const isAllowed = answer.status < 300;
          assert.equal(isAllowed, body.allowed_actions.includes(name), `${name}: ${answer.text}`);
          if (!isAllowed) assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
        }
      });
    }
  }

  function endpointOf(name: keyof typeof instanceActions): [string, string] {
    const { endpoint }: ActionRule<ServerState> = instanceActions[name];
    const [method = '', path = ''] = endpoint.split(' ');
    return [method, path.replace('/api/instances/{instance_id}', '')];
  }

  function answerAction(id: string, name: string): void {
    const isConsole = name === 'open_console';
    const console = { remote_console: { type: 'novnc', protocol: 'vnc', url: 'https://console' } };
    computeAnswers(
      suite.cloud,
      `POST /servers/${id}/${isConsole ? 'remote-consoles' : 'action'}`,
      isConsole ? console : '',
      { status: isConsole ? 200 : 202 },
    );
  }
});
