import type { InstanceCreation } from '@gateway/jobs';
import type { Step } from '../../saga/index.ts';
import type { CreateInstanceContext, CreateInstanceState } from './saga.ts';
import { reserveAdditionalVolumes } from './steps/additional-volumes.ts';
import { attachUpperVolume } from './steps/attach-upper-volume.ts';
import { attachVolume } from './steps/attach-volume.ts';
import { createBootVolume } from './steps/boot-volume.ts';
import { createDynamicShare } from './steps/dynamic-share.ts';
import { createFloatingIp } from './steps/floating-ip.ts';
import { createNewVolume } from './steps/new-volume.ts';
import { planCreation } from './steps/plan.ts';
import { createPort } from './steps/port.ts';
import { createServer } from './steps/server.ts';
import { grantShareAccess } from './steps/share-access.ts';
import { createUpperVolume } from './steps/upper-volume.ts';
import { generateUserData } from './steps/user-data.ts';

/**
 * The creation of an instance. Rolled back in reverse: floating IP, server, volumes, access rule, port,
 * dynamic share. Each new volume and each attachment is a step of its own.
 */
export function createInstanceSteps({
  additionalVolumeIds,
  newVolumes,
}: Pick<InstanceCreation, 'additionalVolumeIds' | 'newVolumes'>): readonly Step<
  CreateInstanceContext,
  CreateInstanceState
>[] {
  return [
    planCreation,
    createDynamicShare,
    createPort,
    grantShareAccess,
    createBootVolume,
    ...newVolumes.map((_, index) => createNewVolume(index)),
    createUpperVolume,
    generateUserData,
    reserveAdditionalVolumes,
    createServer,
    attachUpperVolume,
    ...[...additionalVolumeIds, ...newVolumes].map((_, index) => attachVolume(index)),
    createFloatingIp,
  ];
}
