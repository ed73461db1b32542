import assert from 'node:assert/strict';
import { type FirstBootState, firstBootStages } from '@gateway/libraries';
import { presentWorkspace } from '@gateway/resources';

const createdAt = Date.parse('2026-11-22T09:00:00Z');
const config = { timeLimits: { firstBootSeconds: 3600 } };
const layered = { created_at: '2026-11-22T09:00:00Z', metadata: {}, overlay_libraries: ['numpy'] };

function presented(state: Partial<FirstBootState> | null, minutes: number) {
  const now = createdAt + minutes * 60_000;
  const known = { stage: 'layers', result: 'running', source: 'callback', at: createdAt } as const;
  return presentWorkspace(layered, state === null ? null : { ...known, ...state }, { config, now });
}

describe('presentWorkspace', () => {
  it('is null for an instance without libraries', () => {
    const plain = { ...layered, overlay_libraries: [] };

    assert.equal(presentWorkspace(plain, null, { config, now: createdAt }), null);
  });

  it('is pending until the time limit, and then unknown', () => {
    assert.equal(presented(null, 59)?.status, 'pending');
    const late = presented(null, 61);
    assert.deepEqual([late?.status, late?.stage, late?.checked_at], ['unknown', null, null]);
    assert.match(late?.message ?? '', /console log/);
  });

  it('counts the time limit anew from the last report', () => {
    const at = createdAt + 100 * 60_000;

    assert.equal(presented({ at }, 159)?.status, 'pending');
    assert.equal(presented({ at }, 161)?.status, 'unknown');
  });

  it('is what the instance has reported, and when', () => {
    const ready = presented({ stage: 'done', result: 'ready', at: createdAt + 60_000 }, 100);
    const failed = presented({ result: 'failed' }, 100);

    assert.deepEqual(ready, {
      status: 'ready',
      stage: null,
      message: '/workspace is mounted.',
      checked_at: '2026-11-22T09:01:00Z',
    });
    assert.deepEqual([failed?.status, failed?.stage], ['failed', 'layers']);
  });

  it('is ready without the GPU driver, and says so', () => {
    const without = presented({ stage: 'gpu', result: 'failed' }, 1);

    assert.deepEqual([without?.status, without?.stage], ['ready', 'gpu']);
    assert.match(without?.message ?? '', /GPU driver could not be installed/);
    assert.equal(presented({ stage: 'gpu' }, 1)?.status, 'ready');
  });

  it('has a sentence for each stage, with what to do', () => {
    const stages = firstBootStages.filter((stage) => !['start', 'done'].includes(stage));

    const messages = stages.map((stage) => presented({ stage, result: 'failed' }, 1)?.message ?? '');

    assert.equal(new Set(messages).size, stages.length);
    for (const message of messages) assert.match(message, /Please .*restart the instance/);
  });

  it('has a sentence for a stage that only other versions know', () => {
    const { stage, message } = presented({ stage: 'later_stage', result: 'failed' }, 1) ?? {};

    assert.equal(stage, 'later_stage');
    assert.match(message ?? '', /^\/workspace could not be set up\. Please/);
  });
});
