import assert from 'node:assert/strict';
import { toTimestamp } from '@gateway/core';
import type { AdminAutoBackup } from '../../../apps/api/src/routes/admin-auto-backups/shapes.ts';
import { newCaller, OTHER_PROJECT } from '../../support/api/factories.ts';
import { serviceCalls } from '../../support/api/service-calls.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';

const { answers: identityAnswers } = serviceCalls('identity/token-validate', '/v3');
const PATH = '/api/admin/auto-backups';
const DAY_MS = 86_400_000;

type Outcome = 'ok' | 'failed' | 'skipped';

describe('the auto backups of all projects', () => {
  const suite = apiSuite();
  const now = Date.now();
  const administrator = () => suite.cloud.validCaller(newCaller({ roles: ['admin'] }));

  /** Stores one that is due daily. @param outcomes of its runs, the last one first */
  async function store(
    { context }: TestApi,
    id: string,
    { enabled = true, handledDaysAgo = 0, outcomes = [] as Outcome[] } = {},
  ): Promise<void> {
    const { store } = context.autoBackups;
    await store.import(
      {
        id,
        projectId: OTHER_PROJECT,
        volumeId: `volume-${id}`,
        userId: 'user-1',
        schedule: '0 3 * * *',
        retention: 5,
        prefix: 'auto',
        fullEvery: 1,
        version: 1,
        createdAt: now,
        updatedAt: now,
        handledUntil: now - handledDaysAgo * DAY_MS,
        enabled,
        missingSince: null,
        last: null,
        lastOkAt: null,
        sealedDelegation: '',
      },
      { overwrite: false },
    );
    for (const [ago, status] of [...outcomes.entries()].reverse()) {
      const at = now - ago * DAY_MS;
      const error = status === 'failed' ? 'No room.' : null;
      await store.recordOutcome(id, at, { status, error, at });
    }
  }

  it('are listed with their problems and the last good run', async () => {
    const api = await suite.start();
    await store(api, 'fails', { outcomes: ['failed', 'failed', 'ok'] });
    await store(api, 'good', { outcomes: ['ok'] });
    await store(api, 'never', { outcomes: ['failed'] });
    await store(api, 'overdue', { handledDaysAgo: 3, outcomes: ['skipped', 'ok'] });
    await store(api, 'paused', { enabled: false, handledDaysAgo: 3 });
    const physics = { id: OTHER_PROJECT, name: 'physics', domain_id: 'default', enabled: true };
    identityAnswers(suite.cloud, 'GET /projects?limit=1000', { projects: [physics] });

    const { body } = await api.get<AdminAutoBackup[]>(`${PATH}?sort=id`, { as: administrator() });

    const daysAgo = (days: number) => toTimestamp(now - days * DAY_MS);
    assert.deepEqual(
      body.map((row) => [row.id, row.last_status, row.last_ok_at, row.is_overdue, row.needs_attention]),
      [
        ['fails', 'failed', daysAgo(2), false, true],
        ['good', 'ok', daysAgo(0), false, false],
        ['never', 'failed', null, false, true],
        ['overdue', 'skipped', daysAgo(1), true, true],
        ['paused', null, null, false, false],
      ],
    );
    const [{ last_error, project_id, project_name, volume_id } = {} as AdminAutoBackup] = body;
    assert.deepEqual(
      [last_error, project_id, project_name, volume_id],
      ['No room.', OTHER_PROJECT, 'physics', 'volume-fails'],
    );
  });

  it('cost no call for names without rows', async () => {
    const api = await suite.start();
    await store(api, 'good', { outcomes: ['ok'] });
    const admin = administrator();

    const { body } = await api.get<AdminAutoBackup[]>(`${PATH}?needs_attention=true`, { as: admin });
    const calls = suite.cloud.calls().filter((call) => !call.includes('/auth/tokens'));

    assert.deepEqual([body, calls], [[], []]);
  });

  it('are without those whose volume was missing once', async () => {
    const api = await suite.start();
    await store(api, 'gone', { outcomes: ['failed'] });
    await api.context.autoBackups.store.markMissing('gone', now);

    const { body } = await api.get<AdminAutoBackup[]>(PATH, { as: administrator() });

    assert.deepEqual(body, []);
  });

  it('are for administrators', async () => {
    const api = await suite.start();

    const { status } = await api.get(PATH, { as: suite.cloud.validCaller(newCaller()) });

    assert.equal(status, 403);
  });
});
