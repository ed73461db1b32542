import assert from 'node:assert/strict';
import type {
  FileStorage,
  FileStorageAction,
  fileStorageActions,
  LoadBalancer,
  LoadBalancerAction,
  loadBalancerActions,
} from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { answersShare, prebuilt, rule, SHARE_PATH } from '../../support/api/file-storage.ts';
import { answers, balancerOf, LB, refuses } from '../../support/api/load-balancing.ts';
import { networkRefuses } from '../../support/api/network.ts';
import { apiSuite } from '../../support/api/suite.ts';

/** How to request an action, below the path of the resource. */
interface ActionCall {
  method: string;
  end?: string;
  body?: object;
  /** Lets the call fail in the service, which is a 502. */
  letServiceFail(): void;
}

const FAILURE = 500;
const WHY = 'Internal error';

const FLOATING_IP = '0a1b2c3d-0000-4000-8000-00000000000d';

describe('the actions in the detail of a load balancer', () => {
  const suite = apiSuite();
  const path = `/api/loadbalancers/${LB}`;

  for (const status of ['ACTIVE', 'PENDING_CREATE', 'PENDING_UPDATE', 'ERROR', 'PENDING_DELETE', 'DELETED']) {
    for (const vip_address of ['10.0.0.9', null]) {
      const address = vip_address === null ? 'without' : 'with';
      it(`are what is not refused while it is ${status} ${address} address`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller());
        const loadbalancer = balancerOf(caller, { provisioning_status: status, vip_address });
        const answerRead = () => answers(suite.cloud, `GET /loadbalancers/${LB}`, { loadbalancer });
        answerRead();
        const { allowed_actions } = (await api.get<LoadBalancer>(path, { as: caller })).body;

        for (const [name, call] of Object.entries(calls) as [LoadBalancerAction, ActionCall][]) {
          const isAllowed = allowed_actions.includes(name);
          answerRead();
          if (isAllowed) call.letServiceFail();
          const options = { as: caller, body: call.body };
          const answer = await api.request<ErrorBody>(call.method, path + (call.end ?? ''), options);

          const code = name === 'associate_floating_ip' ? 'conflict' : 'immutable';
          const expected = isAllowed ? [502, 'upstream_error'] : [409, code];
          assert.deepEqual([answer.status, answer.body.code], expected, `${name}: ${answer.text}`);
        }
      });
    }
  }

  function letFail(call: string): () => void {
    return () => refuses(suite.cloud, call, FAILURE, WHY);
  }

  const calls = {
    update: {
      method: 'PUT',
      body: { name: 'renamed' },
      letServiceFail: letFail(`PUT /loadbalancers/${LB}`),
    },
    add_listener: {
      method: 'POST',
      end: '/listeners',
      body: { protocol: 'HTTP', protocol_port: 80 },
      letServiceFail: letFail('POST /listeners'),
    },
    add_pool: {
      method: 'POST',
      end: '/pools',
      body: { protocol: 'HTTP', lb_algorithm: 'ROUND_ROBIN' },
      letServiceFail: letFail('POST /pools'),
    },
    associate_floating_ip: {
      method: 'POST',
      end: '/floating-ip',
      body: { floating_ip_id: FLOATING_IP },
      letServiceFail: () =>
        networkRefuses(suite.cloud, `GET /floatingips/${FLOATING_IP}`, FAILURE, ['InternalError', WHY]),
    },
    delete: {
      method: 'DELETE',
      letServiceFail() {
        suite.cloud.reply('network/floating-ips', { path: /floatingips/, body: { floatingips: [] } });
        letFail(`DELETE /loadbalancers/${LB}?cascade=true`)();
      },
    },
  } satisfies Record<keyof typeof loadBalancerActions, ActionCall>;
});

describe('the actions in the detail of a file storage', () => {
  const suite = apiSuite();

  for (const status of ['available', 'creating', 'deleting', 'error', 'extending', 'inactive']) {
    for (const [who, role, metadata] of [
      ['a member', 'member', {}],
      ['a member, as it holds a library', 'member', prebuilt],
      ['an administrator, as it holds a library', 'admin', prebuilt],
    ] as const) {
      it(`are what is not refused to ${who}, while it is ${status}`, async () => {
        const api = await suite.start();
        const caller = suite.cloud.validCaller(newCaller({ roles: [role] }));
        answersShare(suite.cloud, { status, metadata });
        suite.cloud.reply('shared-file-system/export-locations', { path: /export_locations/ });
        const { allowed_actions } = (await api.get<FileStorage>(SHARE_PATH, { as: caller })).body;

        for (const [name, call] of Object.entries(calls) as [FileStorageAction, ActionCall][]) {
          const isAllowed = allowed_actions.includes(name);
          const isPermitted = metadata !== prebuilt || (role === 'admin' && name === 'delete');
          answersShare(suite.cloud, { status, metadata });
          if (isPermitted && name === 'delete') answersUnused(metadata);
          if (isAllowed) call.letServiceFail();
          const options = { as: caller, body: call.body };
          const answer = await api.request<ErrorBody>(call.method, SHARE_PATH + (call.end ?? ''), options);

          const refusal = isPermitted ? 409 : 403;
          assert.equal(answer.status, isAllowed ? 502 : refusal, `${name}: ${answer.text}`);
        }
      });
    }
  }

  function rulesAre(...rules: object[]): void {
    suite.cloud.reply('shared-file-system/access-rules', { body: { access_list: rules } });
  }

  /** The share is no layer of an instance. */
  function answersUnused(metadata: object): void {
    rulesAre();
    if (metadata === prebuilt) suite.cloud.reply('compute/servers', { body: { servers: [] } });
  }

  const refused = { status: FAILURE, body: { computeFault: { code: FAILURE, message: WHY } } };
  const calls = {
    add_access_rule: {
      method: 'POST',
      end: '/access-rules',
      body: { access_to: 'me' },
      letServiceFail: () => suite.cloud.reply('shared-file-system/access-rule-allow', refused),
    },
    remove_access_rule: {
      method: 'DELETE',
      end: `/access-rules/${rule.id}`,
      letServiceFail() {
        rulesAre(rule);
        suite.cloud.reply('shared-file-system/access-rule-allow', refused);
      },
    },
    delete: {
      method: 'DELETE',
      letServiceFail: () => suite.cloud.reply('shared-file-system/share', { method: 'DELETE', ...refused }),
    },
  } satisfies Record<keyof typeof fileStorageActions, ActionCall>;
});
