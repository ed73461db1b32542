import type { Step } from '@gateway/saga';
import type { CreateInstanceContext, CreateInstanceState } from './saga.ts';
import { attachUpperVolume } from './steps/attach-upper-volume.ts';
import { createBootVolume } from './steps/boot-volume.ts';
import { createDynamicShare } from './steps/dynamic-share.ts';
import { createFloatingIp } from './steps/floating-ip.ts';
import { planCreation } from './steps/plan.ts';
import { createPort } from './steps/port.ts';
import { createServer } from './steps/server.ts';
import { allowShareAccess } from './steps/share-access.ts';
import { createUpperVolume } from './steps/upper-volume.ts';
import { generateUserData } from './steps/user-data.ts';

/**
 * The creation of an instance. Taken back in reverse: floating IP, server, volumes, access rule, port,
 * dynamic share.
 */
export const createInstanceSteps: readonly Step<CreateInstanceContext, CreateInstanceState>[] = [
  planCreation,
  createDynamicShare,
  createPort,
  allowShareAccess,
  createBootVolume,
  createUpperVolume,
  generateUserData,
  createServer,
  attachUpperVolume,
  createFloatingIp,
];
