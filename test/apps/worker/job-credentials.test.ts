import assert from 'node:assert/strict';
import type { GatewayError } from '@gateway/core';
import {
  ApplicationCredentialIdentities,
  type DelegatedIdentity,
  type DelegationRefusal,
  ServiceAccount,
} from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import { JobCredentials, type StandingRights } from '../../../apps/worker/src/jobs/job-credentials.ts';
import { mustWait } from '../../../apps/worker/src/saga/index.ts';
import { call, identityConfig, recordedIdentity, testCloud } from '../../packages/openstack/cloud.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const HOUR_MS = 3_600_000;
const { projectId } = recordedIdentity();
const serviceUser = {
  username: 'gateway',
  userDomain: 'Default',
  projectName: 'service',
  projectDomain: 'Default',
};

interface Case {
  tokenLifeMs?: number;
  hasTrust?: boolean;
  hasApplicationCredential?: boolean;
  undelegated?: DelegationRefusal;
  hasServiceUser?: boolean;
}

describe('the credentials of a job', () => {
  let upstream: Upstream;
  let log: LogLines;
  beforeEach(() => {
    upstream = mockUpstream();
    log = captureLogLines();
  });
  afterEach(() => {
    upstream.close();
    assert.doesNotMatch(log.text(), /gAAAA|secret/);
  });

  /** The credentials of a job that stores none, with the rights of a standing delegation. */
  function standingCredentials(standing: StandingRights): JobCredentials {
    const { openstack } = testCloud();
    const serviceAccount = new ServiceAccount(openstack, {
      serviceUser,
      identity: identityConfig,
      secrets: { servicePassword: 'service-secret' },
    });
    const logger = createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream);
    return new JobCredentials({
      openstack,
      serviceAccount,
      applicationCredentials: new ApplicationCredentialIdentities(openstack),
      credential: null,
      standing,
      projectId,
      call,
      logger,
    });
  }

  function serviceAccountOf({ hasServiceUser = true }: Case): ServiceAccount {
    return new ServiceAccount(testCloud().openstack, {
      serviceUser: hasServiceUser ? serviceUser : null,
      identity: identityConfig,
      secrets: { servicePassword: 'service-secret' },
    });
  }

  function credentialsOf(one: Case, serviceAccount = serviceAccountOf(one)) {
    const { tokenLifeMs = HOUR_MS, hasTrust = false, hasApplicationCredential = false, undelegated } = one;
    const { openstack } = testCloud();
    const applicationCredentials = new ApplicationCredentialIdentities(openstack);
    const applicationCredential = { id: 'c1', secret: 'its secret', expiresAt: endingIn(24 * HOUR_MS) };
    const identity = recordedIdentity();
    const delegation = {
      trustId: 't1',
      trustorId: identity.userId,
      projectId,
      expiresAt: endingIn(24 * HOUR_MS),
    };
    const credential: DelegatedIdentity = {
      ...identity,
      token: 'gAAAA-owner',
      expiresAt: endingIn(tokenLifeMs),
      ...(hasTrust && { delegation }),
      ...(hasApplicationCredential && { applicationCredential }),
      ...(undelegated && { undelegated }),
    };
    const logger = createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream);
    return new JobCredentials({
      openstack,
      serviceAccount,
      applicationCredentials,
      credential,
      projectId,
      call,
      logger,
    });
  }

  /** The service user signs in; with `trustId`, by that trust. */
  function signsIn(
    token: string,
    options: { trustId?: string; status?: number; roles?: string[] } = {},
  ): void {
    const { trustId, status = 201, roles = ['admin'] } = options;
    const body = {
      token: {
        ...fixtureBody<object>('identity/token', 'token'),
        expires_at: endingIn(HOUR_MS),
        ...(trustId === undefined && {
          project: { id: 'service-project', name: 'service', domain: { id: 'default', name: 'Default' } },
        }),
        roles: roles.map((name) => ({ id: name, name })),
      },
    };
    upstream.reply('identity/token', {
      status,
      headers: { 'x-subject-token': token },
      body,
      requestBody: (asked: { auth: { scope: object } }) =>
        trustId === undefined ? 'project' in asked.auth.scope : 'OS-TRUST:trust' in asked.auth.scope,
    });
  }

  function ports(token: string, { status = 200, query = '' } = {}): void {
    upstream.reply('network/ports', {
      path: `/v2.0/ports${query}`,
      status,
      requestHeaders: { 'x-auth-token': token },
    });
  }

  it('are the token of the requester without a delegation', async () => {
    ports('gAAAA-owner');
    ports('gAAAA-owner');
    const { owner, remover } = credentialsOf({});

    await owner.network.ports.list();
    await remover.network.ports.list();

    upstream.assertAllUsed();
  });

  it("are the requester's delegation from the start, with one log-in", async () => {
    signsIn('gAAAA-delegated', { trustId: 't1' });
    ports('gAAAA-delegated');
    ports('gAAAA-delegated');
    const { owner, remover } = credentialsOf({ hasTrust: true });

    await owner.network.ports.list();
    await remover.network.ports.list();

    upstream.assertAllUsed();
  });

  it('are one log-in for all runs of a job in the process', async () => {
    const process = serviceAccountOf({});
    signsIn('gAAAA-delegated', { trustId: 't1' });
    ports('gAAAA-delegated');
    ports('gAAAA-delegated');

    await credentialsOf({ hasTrust: true }, process).owner.network.ports.list();
    await credentialsOf({ hasTrust: true }, process).owner.network.ports.list();

    upstream.assertAllUsed();
  });

  it('are a new token of a later second after a rejection', async () => {
    signsIn('gAAAA-first', { trustId: 't1' });
    ports('gAAAA-first', { status: 401 });
    signsIn('gAAAA-second', { trustId: 't1' });
    ports('gAAAA-second');
    const begun = Date.now();

    await credentialsOf({ hasTrust: true }).owner.network.ports.list();

    upstream.assertAllUsed();
    assert.ok(Date.now() - begun >= 990);
  });

  it('end if a service is unavailable because the delegation is invalid', async () => {
    signsIn('gAAAA-delegated', { trustId: 't1' });
    upstream.reply('network/ports', { path: '/v2.0/ports', status: 503, body: {}, times: 3 });
    for (const own of ['gAAAA-own-1', 'gAAAA-own-2']) {
      signsIn('', { trustId: 't1', status: 403 });
      signsIn(own);
    }
    ports('gAAAA-owner', { status: 401 });

    await assert.rejects(credentialsOf({ hasTrust: true }).owner.network.ports.list(), {
      code: 'delegation_lost',
      message: /has lost the account or the role/,
    });
    upstream.assertAllUsed();
  });

  it('stay the delegation if the service is otherwise unavailable, checked once', async () => {
    signsIn('gAAAA-delegated', { trustId: 't1' });
    upstream.reply('network/ports', { path: '/v2.0/ports', status: 503, body: {}, times: 3 });
    signsIn('gAAAA-other', { trustId: 't1' });
    upstream.reply('network/ports', { path: '/v2.0/ports', status: 503, body: {}, times: 3 });
    const { owner } = credentialsOf({ hasTrust: true });

    await assert.rejects(owner.network.ports.list(), { status: 502 });
    await assert.rejects(owner.network.ports.list(), { status: 502 });

    upstream.assertAllUsed();
  });

  it('are the token if the delegation is gone', async () => {
    signsIn('', { trustId: 't1', status: 401 });
    signsIn('gAAAA-service');
    ports('gAAAA-owner');

    await credentialsOf({ hasTrust: true, tokenLifeMs: 60_000 }).owner.network.ports.list();

    upstream.assertAllUsed();
    await eventually(async () => /"method":"delegation"/.test(log.text()));
  });

  it('make the job wait while the service user itself is refused', async () => {
    signsIn('', { trustId: 't1', status: 401 });
    signsIn('', { status: 401 });
    const credentials = credentialsOf({ hasTrust: true });

    await assert.rejects(credentials.owner.network.ports.list(), mustWait);
    await assert.rejects(credentials.remover.network.ports.list(), mustWait);
    await assert.rejects(credentials.forcer(), mustWait);

    upstream.assertAllUsed();
  });

  describe('of a program', () => {
    const program = { hasApplicationCredential: true, undelegated: undefined };

    function logsIn(token: string, options: { status?: number } = {}): void {
      const { status = 201 } = options;
      upstream.reply('identity/token', {
        status,
        headers: { 'x-subject-token': token },
        body: { token: { ...fixtureBody<object>('identity/token', 'token'), expires_at: endingIn(HOUR_MS) } },
        requestBody: {
          auth: {
            identity: {
              methods: ['application_credential'],
              application_credential: { id: 'c1', secret: 'its secret' },
            },
          },
        },
      });
    }

    it('are its application credential from the start, with one log-in', async () => {
      logsIn('gAAAA-program');
      ports('gAAAA-program');
      ports('gAAAA-program');
      const { owner, remover } = credentialsOf(program);

      await owner.network.ports.list();
      await remover.network.ports.list();

      upstream.assertAllUsed();
    });

    it('log in again when a token ends', async () => {
      logsIn('gAAAA-first');
      ports('gAAAA-first', { status: 401 });
      logsIn('gAAAA-second');
      ports('gAAAA-second');

      await credentialsOf({ ...program, tokenLifeMs: -1 }).owner.network.ports.list();

      upstream.assertAllUsed();
    });

    /** Real identity services answer 401 to an expired credential, and 404 to a deleted one. */
    function isRefused(status: 401 | 404): void {
      const message = 'Could not find Application Credential: c1.';
      upstream.reply('identity/token', {
        status,
        headers: {},
        body: { error: { code: status, message, title: 'Not Found' } },
      });
    }

    for (const [how, status] of [
      ['has expired', 401],
      ['was deleted', 404],
    ] as const) {
      it(`end with a credential that ${how}, and say so`, async () => {
        isRefused(status);
        ports('gAAAA-owner', { status: 401 });

        await assert.rejects(credentialsOf(program).owner.network.ports.list(), (error: GatewayError) => {
          assert.deepEqual([error.status, error.code], [403, 'delegation_lost']);
          assert.match(error.message, /application credential .* has expired or was deleted/);
          return true;
        });
      });

      it(`are the service account for removals if the credential ${how}`, async () => {
        isRefused(status);
        ports('gAAAA-owner', { status: 401 });
        signsIn('gAAAA-service');
        ports('gAAAA-service', { query: `?project_id=${projectId}` });

        await credentialsOf(program).remover.network.ports.list();

        upstream.assertAllUsed();
      });
    }
  });

  it('retry the delegation while the identity service is unavailable', async () => {
    upstream.reply('identity/token', { status: 503, body: {}, times: 3 });
    signsIn('gAAAA-delegated', { trustId: 't1' });
    ports('gAAAA-delegated');
    const { owner } = credentialsOf({ hasTrust: true, tokenLifeMs: -1 });

    await assert.rejects(owner.network.ports.list(), { status: 502 });
    await owner.network.ports.list();

    upstream.assertAllUsed();
  });

  it("never use another identity for the requester's calls after expiry", async () => {
    ports('gAAAA-owner', { status: 401 });

    await assert.rejects(credentialsOf({}).owner.network.ports.list(), (error: GatewayError) => {
      assert.deepEqual([error.status, error.code], [401, 'token_expired']);
      assert.deepEqual([error.upstream?.service, error.upstream?.status], ['network', 401]);
      return true;
    });
  });

  it('say why there was no delegation, and what can be done', async () => {
    for (const [undelegated, sentence] of [
      [
        'application_credential',
        /of an application credential, which may not delegate\. .*token of a log-in\.$/,
      ],
      [
        'single_sign_on',
        /single sign-on.*`default_authorization_ttl` of the identity service.*a role of your own/,
      ],
      ['refused', /does not let you delegate your roles\..*ask an administrator/],
      ['failed', /could not be asked for one\. Please try again\.$/],
      ['no_service_user', /no service user to delegate to\. The operator .* can configure one\.$/],
    ] as const) {
      ports('gAAAA-owner', { status: 401 });
      await assert.rejects(
        credentialsOf({ undelegated }).owner.network.ports.list(),
        (error: GatewayError) => {
          assert.equal(error.code, 'token_expired');
          assert.match(error.message, sentence);
          assert.doesNotMatch(error.message, /password/);
          return true;
        },
      );
    }
  });

  it('fall back to the service account for removals, limited to the project', async () => {
    ports('gAAAA-owner', { status: 401 });
    signsIn('gAAAA-service');
    ports('gAAAA-service', { query: `?project_id=${projectId}` });

    await credentialsOf({}).remover.network.ports.list();

    upstream.assertAllUsed();
  });

  it('do not fall back to a service account without the administrator role', async () => {
    ports('gAAAA-owner', { status: 401 });
    signsIn('gAAAA-service', { roles: ['member'] });

    await assert.rejects(credentialsOf({}).remover.network.ports.list(), { code: 'token_expired' });
    upstream.assertAllUsed();
  });

  it('have no fallback without a service user once the token has expired', async () => {
    ports('gAAAA-owner', { status: 401 });
    const { owner, remover } = credentialsOf({ hasServiceUser: false });

    await assert.rejects(owner.network.ports.list(), { code: 'token_expired' });
    await assert.rejects(remover.network.ports.list(), { code: 'token_expired' });
    upstream.assertAllUsed();
  });

  it('are a standing delegation, and its replacement during the run', async () => {
    let trustId = 't1';
    signsIn('gAAAA-first', { trustId: 't1' });
    ports('gAAAA-first');
    const { owner } = standingCredentials({ trustId: async () => trustId, lostMessage: 'Lost.' });
    await owner.network.ports.list();
    trustId = 't2';
    signsIn('gAAAA-second', { trustId: 't2' });
    ports('gAAAA-second');

    await owner.network.ports.list();

    upstream.assertAllUsed();
  });

  it('are the next standing delegation after a revocation just before use', async () => {
    const ids = ['t1', 't2', 't2'];
    signsIn('gAAAA-none', { trustId: 't1', status: 403 });
    signsIn('gAAAA-service');
    signsIn('gAAAA-second', { trustId: 't2' });
    ports('gAAAA-second');
    const trustId = async () => (ids.length > 1 ? (ids.shift() ?? null) : (ids[0] ?? null));

    await standingCredentials({ trustId, lostMessage: 'Lost.' }).owner.network.ports.list();

    upstream.assertAllUsed();
  });

  it('end with a standing delegation that no longer works, except for removals', async () => {
    signsIn('gAAAA-none', { trustId: 't1', status: 403 });
    signsIn('gAAAA-service');
    ports('gAAAA-service', { query: `?project_id=${projectId}` });
    const { owner, remover } = standingCredentials({ trustId: async () => 't1', lostMessage: 'Role lost.' });

    await assert.rejects(owner.network.ports.list(), { code: 'delegation_lost', message: 'Role lost.' });
    await remover.network.ports.list();

    upstream.assertAllUsed();
  });
});

function endingIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
