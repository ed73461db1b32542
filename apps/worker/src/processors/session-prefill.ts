import { rightsOf } from '@gateway/context';
import { unlessAborted } from '@gateway/core';
import { lastStep } from '@gateway/jobs';
import { ownerReaders } from '@gateway/lite';
import {
  blockStorageLimitsList,
  type CachedList,
  computeLimitsList,
  flavorList,
  instanceList,
  type ListSources,
} from '@gateway/resources';
import type { JobRun, Processor } from '../jobs/processor.ts';
import { ReleasedError } from '../saga/index.ts';

/** The lists that a dashboard shows first. */
const lists: readonly CachedList<unknown>[] = [
  flavorList,
  computeLimitsList,
  blockStorageLimitsList,
  instanceList,
];

/** Reads lists into the cache before the dashboard requests them. */
export const sessionPrefill: Processor<'session.prefill'> = { run: prefill };

async function prefill(run: JobRun<'session.prefill'>): Promise<void> {
  const { worker: context, identity, log, logger } = run;
  if (identity === null) {
    await log.end(
      {
        ...lastStep(run.type, 'COMPLETED'),
        message: 'The credential of the session has expired; no list was read.',
      },
      { status: 'completed' },
    );
    return;
  }
  const can = rightsOf(identity, context.config.identity);
  const sources: ListSources = {
    openstack: run.credentials.owner,
    reader: identity,
    isAdministrator: can.includes('administer'),
    mayChange: can.includes('change'),
    cache: context.cache,
    lifetimes: context.config.cache,
    clock: context.clock,
    config: context.config,
    serviceUser: () => context.serviceAccount.bind(run.call),
    countLiteClusters: () => context.liteClusters.countOpen(),
    readGpuRecords: (projectId) => context.gpuQuotas.readProject(projectId),
    readFirstBoots: (projectId, jobIds) => context.firstBoots.read(projectId, jobIds),
    owners: ownerReaders(context.redis.store, context.liteClusters),
  };
  const reading = Promise.allSettled(lists.map((list) => list.read(sources)));
  const reads = await unlessAborted(reading, context.stopping.signal).catch(() => {
    throw new ReleasedError();
  });
  for (const read of reads) {
    if (read.status === 'rejected') logger.warn('A list could not be pre-filled', { error: read.reason });
  }
  await log.end(
    { ...lastStep(run.type, 'COMPLETED'), message: 'The caches are filled.' },
    { status: 'completed' },
  );
}
