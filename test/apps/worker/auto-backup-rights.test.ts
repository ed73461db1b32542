import assert from 'node:assert/strict';
import { UnknownSealingKeyError } from '@gateway/core';
import { ApplicationCredentialIdentities, ServiceAccount } from '@gateway/openstack';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { autoBackupCredentials } from '../../../apps/worker/src/jobs/auto-backup-credentials.ts';
import { checkVolumes } from '../../../apps/worker/src/maintenance/check-volumes.ts';
import { call, identityConfig, recordedIdentity, testCloud } from '../../packages/openstack/cloud.ts';
import { captureLogLines, type LogLines } from '../../support/api/log-lines.ts';
import { fixtureBody, mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const { projectId } = recordedIdentity();

interface Case {
  /** The ids of the auto backups, each of a volume of the same id. */
  configurations?: string[];
  /** The roles of the service user. */
  roles: string[];
}

describe('an auto backup whose delegation cannot be decrypted', () => {
  let upstream: Upstream;
  let log: LogLines;
  let missing: string[];
  let endedChecks: string[];
  beforeEach(() => {
    upstream = mockUpstream();
    log = captureLogLines();
    missing = [];
    endedChecks = [];
  });
  afterEach(() => upstream.close());

  /** The delegation of `lost` is encrypted with a key that is gone. */
  function workerWith({ configurations = [], roles }: Case): WorkerContext {
    const { openstack } = testCloud();
    signsIn({ roles });
    const found = configurations.map((id) => ({ id, projectId, volumeId: id, missingSince: null }));
    const serviceUser = {
      username: 'gateway',
      userDomain: 'Default',
      projectName: 'service',
      projectDomain: 'Default',
    };
    const open = (sealed: string) => {
      if (sealed === 'lost') throw new UnknownSealingKeyError('older');
      return { trustId: sealed };
    };
    return {
      openstack,
      serviceAccount: new ServiceAccount(openstack, {
        serviceUser,
        identity: identityConfig,
        secrets: { servicePassword: 'service-secret' },
      }),
      applicationCredentials: new ApplicationCredentialIdentities(openstack),
      autoBackups: {
        store: {
          requestedVolumeChecks: async () => new Map([[projectId, 'check']]),
          readOfProject: async () => found,
          read: async (id: string) => (configurations.includes(id) ? { sealedDelegation: id } : null),
          markMissing: async (id: string, now: number) => {
            missing.push(id);
            return now;
          },
          endVolumeCheck: async (project: string) => endedChecks.push(project),
        },
        delegations: { open, retiredOf: async (id: string) => open(id) },
      },
      config: { jobs: { recheckSeconds: 900 } },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, log.stream),
      stopping: new AbortController(),
    } as unknown as WorkerContext;
  }

  /** The service user signs in; with `trustId`, by that trust. */
  function signsIn({ trustId, roles = ['member'] }: { trustId?: string; roles?: string[] }): void {
    const project = { id: 'service-project', name: 'service', domain: { id: 'default', name: 'Default' } };
    upstream.reply('identity/token', {
      optional: true,
      headers: { 'x-subject-token': trustId ?? 'service' },
      body: {
        token: {
          ...fixtureBody<object>('identity/token', 'token'),
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
          ...(trustId === undefined && { project }),
          roles: roles.map((name) => ({ id: name, name })),
        },
      },
      requestBody: ({ auth: { scope } }: { auth: { scope: Record<string, { id?: string }> } }) =>
        trustId === undefined ? 'project' in scope : scope['OS-TRUST:trust']?.id === trustId,
    });
  }

  it("leaves the volumes of other users' auto backups to be checked", async () => {
    const worker = workerWith({ configurations: ['lost', 'working'], roles: ['member'] });
    signsIn({ trustId: 'working' });
    upstream
      .reply('block-storage/volumes', { path: /volumes/, body: { volumes: [] } })
      .reply('block-storage/volumes', {
        path: /volumes\/working/,
        status: 404,
        body: { itemNotFound: { code: 404, message: 'Volume working could not be found.' } },
      });

    await checkVolumes(worker);

    assert.deepEqual(missing, ['working']);
    assert.deepEqual(endedChecks, [], 'the one that was not checked is checked again');
    await eventually(async () => /could not be checked.*"configuration_id":"lost"/.test(log.text()));
    upstream.assertAllUsed();
  });

  it('asks a service that does not answer once for all of them', async () => {
    const worker = workerWith({ configurations: ['one', 'two'], roles: ['member'] });
    signsIn({ trustId: 'one' });
    upstream.reply('block-storage/volumes', { path: /volumes/, status: 503, body: {}, times: 3 });
    signsIn({ trustId: 'one' });

    await checkVolumes(worker);

    assert.deepEqual([missing, endedChecks], [[], []]);
    upstream.assertAllUsed();
  });

  it('removes the backup of a cancelled run as the service user', async () => {
    const worker = workerWith({ roles: ['admin'] });
    upstream.reply('block-storage/volumes', { path: /volumes/, body: { volumes: [] } });

    await credentials(worker, true).remover.blockStorage.volumes.list();

    upstream.assertAllUsed();
  });

  it('lets a run that was not cancelled wait for the key', async () => {
    const worker = workerWith({ roles: ['admin'] });

    await assert.rejects(
      credentials(worker, false).remover.blockStorage.volumes.list(),
      UnknownSealingKeyError,
    );
  });

  /** Of a run whose configuration is gone. */
  function credentials(worker: WorkerContext, onlyRemoves: boolean) {
    const { logger } = worker;
    return autoBackupCredentials(worker, { configurationId: 'lost', projectId, onlyRemoves, call, logger });
  }
});
