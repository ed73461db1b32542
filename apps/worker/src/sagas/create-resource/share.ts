import { JOB_METADATA_KEY, KEEP_SHARE_METADATA } from '@gateway/core';
import type { ShareCreation } from '@gateway/jobs';
import type { ShareCreate } from '@gateway/openstack';
import { checkQuotas, readShareQuotas, shareFields } from '@gateway/resources';
import { shareStep } from '../resources/share-step.ts';
import { type CreationStep, plannedCreation, planStep } from './saga.ts';

export type ShareRequest = ShareCreate & { name: string };

export const createShareSteps: readonly CreationStep<ShareCreation, ShareRequest>[] = [
  planStep(async ({ config, input, jobId, owner }) => {
    const { metadata, name, sizeGb } = input;
    checkQuotas(await readShareQuotas(owner()), { shares: 1, 'share gigabytes': sizeGb });
    return {
      name,
      size: sizeGb,
      ...(await shareFields(owner(), config.fileStorage, input)),
      metadata: { ...metadata, ...KEEP_SHARE_METADATA, [JOB_METADATA_KEY]: jobId },
    };
  }),
  shareStep({
    ...plannedCreation<ShareCreation, ShareRequest>('The file storage is being created.'),
    markKey: JOB_METADATA_KEY,
  }),
];
