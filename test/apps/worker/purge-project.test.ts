import assert from 'node:assert/strict';
import { conflict, newId, notFound, toTimestamp } from '@gateway/core';
import { ruleMark } from '@gateway/libraries';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import { purgeProjectSteps } from '../../../apps/worker/src/sagas/purge-project/index.ts';
import { removeResource } from '../../../apps/worker/src/sagas/purge-project/remove-resource.ts';
import type { PurgeStepContext } from '../../../apps/worker/src/sagas/purge-project/saga.ts';
import { testCloud } from '../../packages/openstack/cloud.ts';
import { fixtureBody, mockUpstream } from '../../support/doubles/upstream.ts';

describe('the purge of a project', () => {
  it('changes nothing if the id is that of a domain', async () => {
    const upstream = mockUpstream();
    const recorded = fixtureBody<object>('identity/project', 'project');
    const project = { ...recorded, id: 'default', domain_id: null, parent_id: null, is_domain: true };
    upstream.reply('identity/project', { path: '/v3/projects/default', body: { project } });
    const client = testCloud().mine();
    const context = { input: { purgedProjectId: 'default' }, owner: () => client };

    const [first] = purgeProjectSteps;
    await assert.rejects(
      async () => first?.run(context as unknown as PurgeStepContext),
      /id is that of a domain/,
    );

    assert.deepEqual([first?.name, upstream.calls.length], ['look', 1]);
    upstream.close();
  });

  it('changes nothing if a child project was created meanwhile', async () => {
    const upstream = mockUpstream();
    const project = fixtureBody<{ id: string }>('identity/project', 'project');
    upstream
      .reply('identity/project', { path: '/v3/projects/p1', body: { project: { ...project, id: 'p1' } } })
      .reply('identity/projects', {
        path: '/v3/projects?parent_id=p1&limit=1000',
        body: { projects: [{ ...project, parent_id: 'p1' }] },
      });
    const client = testCloud().mine();
    const context = { input: { purgedProjectId: 'p1' }, owner: () => client };

    await assert.rejects(async () => purgeProjectSteps[0]?.run(context as unknown as PurgeStepContext), {
      code: 'conflict',
      message: /it has 1 child project/,
    });

    upstream.assertAllUsed();
    upstream.close();
  });

  it("ends with the project, and then with the gateway's records of it", async () => {
    const done: string[] = [];
    const context = {
      input: { purgedProjectId: 'p1' },
      owner: () => ({ identity: { projects: { remove: async (id: string) => done.push(`removed ${id}`) } } }),
      forgetProject: async () => void done.push('forgotten'),
    } as unknown as PurgeStepContext;

    const last = purgeProjectSteps.at(-1);
    const state = await last?.run(context);

    assert.deepEqual([state, done], [{ isGone: true }, ['removed p1', 'forgotten']]);
  });

  it('enables the project again only after late calls', async () => {
    const updates: object[] = [];
    const projects = { update: async (_id: string, changes: object) => updates.push(changes) };
    const undo = async (lateUntil: number) => {
      const context = {
        input: { purgedProjectId: 'p1' },
        lateUntil,
        owner: () => ({ identity: { projects } }),
      };
      await purgeProjectSteps[0]?.undo?.(context as unknown as PurgeStepContext, { wasEnabled: true });
    };

    await assert.rejects(undo(Date.now() + 60_000), ParkedError);
    assert.deepEqual(updates, []);
    await undo(0);
    assert.deepEqual(updates, [{ enabled: true }]);
  });

  describe('as for the access of its instances to libraries', () => {
    const jobs = { ended: newId(), open: newId(), left: newId() };
    const step = purgeProjectSteps.find(({ name }) => name === 'revoke-access');
    const ruleOf = (projectId: string, jobId: string) => ({
      id: `${projectId} ${jobId}`,
      metadata: ruleMark(projectId, jobId),
    });
    const ofUser = { id: 'of a user', metadata: {} };

    /** The ids of the rules that are revoked. */
    async function revoke(): Promise<string[]> {
      const revoked: string[] = [];
      const all = [...Object.values(jobs).map((id) => ruleOf('p1', id)), ruleOf('p2', jobs.ended), ofUser];
      const accessRules = {
        async list(shareId: string) {
          if (shareId === 'gone') throw notFound('There is no such share.');
          return all.filter(({ id }) => !revoked.includes(id));
        },
        deny: async (_shareId: string, id: string) => void revoked.push(id),
      };
      const left = { id: 's1', metadata: { gateway_job_id: jobs.left } };
      const context = {
        config: { jobs: { pollIntervalMs: 1 }, timeLimits: { shareSeconds: 60, undoSeconds: 60 } },
        input: { purgedProjectId: 'p1' },
        signal: new AbortController().signal,
        since: Date.now(),
        state: {},
        hasJobEnded: async (id: string) => id !== jobs.open,
        owner: () => ({
          compute: { servers: { list: async () => [left] } },
          sharedFileSystem: { accessRules, shares: { list: async () => [{ id: 'gone' }, { id: 'share' }] } },
        }),
      };
      await step?.run(context as unknown as PurgeStepContext);
      return revoked;
    }

    it('revokes that of the instances that it has removed', async () => {
      assert.deepEqual(await revoke(), [`p1 ${jobs.ended}`]);
    });

    it('asks no service for it that the cloud lacks', () => {
      const isTaken = (types: string[]) => step?.when?.({ input: { types } } as unknown as PurgeStepContext);

      assert.deepEqual([isTaken(['instance']), isTaken(['instance', 'file_storage'])], [false, true]);
    });
  });

  for (const type of ['snapshot', 'share_snapshot', 'backup'] as const) {
    it(`forces the deletion of a ${type} only if it is stuck`, async () => {
      // A backup takes longer.
      const limits = { shareSeconds: 60, volumeSeconds: 60, backupSeconds: 600 };
      const creationMs = type === 'backup' ? 600_000 : 60_000;
      const remove = async (status: string, createdAt = Date.now()) => {
        const calls: string[] = [];
        const records = {
          async get() {
            if (calls.length > 0) throw notFound('There is no such record.');
            return { status, created_at: toTimestamp(createdAt) };
          },
          remove: async () => void calls.push('remove'),
          forceDelete: async () => void calls.push('forceDelete'),
        };
        const context = {
          config: { jobs: { pollIntervalMs: 1 }, timeLimits: limits },
          signal: new AbortController().signal,
          since: Date.now(),
          remover: () => ({
            blockStorage: { backups: records, snapshots: records },
            sharedFileSystem: { snapshots: records },
          }),
        };
        await removeResource(context as unknown as PurgeStepContext, { id: 's1', name: 's1', type }, 1);
        return calls;
      };

      assert.deepEqual(await remove('available'), ['remove']);
      assert.deepEqual(await remove('creating'), ['remove']);
      assert.deepEqual(await remove('error_deleting'), ['forceDelete']);
      assert.deepEqual(await remove('creating', Date.now() - creationMs + 9_000), ['remove']);
      assert.deepEqual(await remove('creating', Date.now() - creationMs - 1_000), ['forceDelete']);
    });
  }

  it('forces the deletion of a container only if it is stuck', async () => {
    const remove = async (status: string, ageMs = 0) => {
      const calls: string[] = [];
      const containers = {
        async removeOfAny() {
          calls.push('remove');
          if (status !== 'Running') throw conflict('wrong_state', `Cannot delete it in ${status} state`);
        },
        listOfAll: async () => [{ uuid: 'c1', status, created_at: toTimestamp(Date.now() - ageMs) }],
        forceRemoveOfAny: async () => void calls.push('force'),
      };
      const context = {
        config: { jobs: { pollIntervalMs: 1 }, timeLimits: { serverSeconds: 60 } },
        signal: new AbortController().signal,
        since: Date.now(),
        remover: () => ({ container: { containers } }),
      };
      const resource = { id: 'c1', name: 'c1', type: 'container' } as const;
      await removeResource(context as unknown as PurgeStepContext, resource, 1).catch(() =>
        calls.push('refused'),
      );
      return calls;
    };

    assert.deepEqual(await remove('Running'), ['remove']);
    assert.deepEqual(await remove('Unknown'), ['remove', 'force']);
    assert.deepEqual(await remove('Deleting'), ['remove', 'force']);
    assert.deepEqual(await remove('Paused'), ['remove', 'refused']);
    assert.deepEqual(await remove('Creating'), ['remove', 'refused']);
    assert.deepEqual(await remove('Creating', 70_000), ['remove', 'force']);
  });
});
