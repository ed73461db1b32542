import { KEEP_VOLUME_METADATA } from '@gateway/core';
import type { VolumeCreation } from '@gateway/jobs';
import { planVolume, type VolumeCreate } from '@gateway/openstack';
import { checkQuotas, readStorageQuotas } from '@gateway/resources';
import { volumeStep } from '../resources/volume-step.ts';
import { type CreationStep, plannedCreation, planStep } from './saga.ts';

export type VolumeRequest = VolumeCreate & { name: string };

/** An empty volume, or a copy of an image, a snapshot or another volume. */
export const createVolumeSteps: readonly CreationStep<VolumeCreation, VolumeRequest>[] = [
  planStep(async ({ input, owner, projectId }) => {
    const [request, quotas] = await Promise.all([
      planVolume(owner(), projectId, input),
      readStorageQuotas(owner()),
    ]);
    checkQuotas(quotas, { volumes: 1, gigabytes: request.size });
    return { ...request, metadata: KEEP_VOLUME_METADATA };
  }),
  volumeStep({
    ...plannedCreation<VolumeCreation, VolumeRequest>('The volume is being created.'),
    title: 'The volume',
    isCopied: true,
  }),
];
