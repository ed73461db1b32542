import assert from 'node:assert/strict';
import {
  ActivityReaders,
  type EndedRequest,
  reportedChanges,
  updated,
  type Written,
} from '@gateway/activity';
import { createLogger } from '@gateway/platform';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { eventually } from '../../support/eventually.ts';

const written: Written = {
  projectIds: ['p1'],
  resources: [updated('volume', 'v1')],
  userId: 'u1',
  jobId: null,
};

const ended = { kind: 'request', requestId: 'req-1' } as EndedRequest;

describe('the readers of writes', () => {
  const log = captureLogLines();
  const logger = createLogger({ level: 'debug', format: 'json', service: 'test' }, log.stream);
  const failing = async () => {
    throw new Error('unavailable');
  };

  it('learn in their order, each after the one before', async () => {
    const order: string[] = [];
    const reader = (name: string) => ({
      problem: name,
      written: async () => {
        await Promise.resolve();
        order.push(name);
      },
    });

    await new ActivityReaders([reader('first'), reader('second')], logger).written(written);

    assert.deepEqual(order, ['first', 'second']);
  });

  it('fail a write only if they are required', async () => {
    const optional = { problem: 'An optional reader fails', written: failing };
    const required = { problem: 'A required reader fails', isRequired: true, written: failing };

    await new ActivityReaders([optional], logger).written(written);
    await assert.rejects(new ActivityReaders([required], logger).written(written), /unavailable/);

    assert.ok(await eventually(async () => log.withMessage('An optional reader fails')[0]));
  });

  it('learn of an end, even if one of them fails', async () => {
    const seen: EndedRequest[] = [];
    const broken = { problem: 'A reader of ends fails', ended: failing };
    const working = { problem: 'none', ended: (end: EndedRequest) => void seen.push(end) };

    new ActivityReaders([broken, working], logger).ended(ended);

    assert.deepEqual(seen, [ended]);
    const line = await eventually(async () => log.withMessage('A reader of ends fails')[0]);
    assert.equal(line.request_id, 'req-1');
  });
});

describe('what listeners learn', () => {
  const of = (as: 'created' | 'deleting' | 'deleted', jobId: string | null = null) =>
    reportedChanges({
      resources: [{ resource: 'network', as, id: 'n1', state: as === 'created' ? 'ACTIVE' : null }],
      userId: 'u1',
      jobId,
    }).map(({ kind, id }) => [kind, id]);

  it('is at once what a request has created or deleted', () => {
    assert.deepEqual(of('created'), [
      ['created', 'n1'],
      ['touched', undefined],
    ]);
    assert.deepEqual(of('deleted'), [['deleted', 'n1']]);
  });

  it('is left to a poll for jobs, and for slow deletions', () => {
    assert.deepEqual([of('created', 'j1'), of('deleting')], [[['touched', 'n1']], [['touched', 'n1']]]);
  });

  it('has the user only for what is personal', () => {
    const resources = [updated('keypair', 'k1'), updated('volume', 'v1'), updated('flavor', 'f1')];

    const changes = reportedChanges({ resources, userId: 'u1', jobId: null });

    assert.deepEqual(
      changes.map(({ type, userId }) => [type, userId]),
      [
        ['keypair', 'u1'],
        ['volume', null],
      ],
    );
  });
});
