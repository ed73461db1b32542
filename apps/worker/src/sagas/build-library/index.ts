import type { Step } from '../../saga/index.ts';
import type { BuildLibraryContext, BuildLibraryState } from './saga.ts';
import { createBootVolume } from './steps/boot-volume.ts';
import { installLibrary } from './steps/install.ts';
import { planBuild } from './steps/plan.ts';
import { createPort } from './steps/port.ts';
import { publishShare } from './steps/publish.ts';
import { removeBuilder } from './steps/remove-builder.ts';
import { createServer } from './steps/server.ts';
import { createShare } from './steps/share.ts';
import { grantShareAccess } from './steps/share-access.ts';
import { withdrawAccess } from './steps/withdraw-access.ts';

/**
 * The build of a library's prebuilt share. Until the share is published, a rollback removes everything in
 * reverse: the builder, its disk, its access, its port, the share. After that only the builder remains to be
 * removed.
 */
export const buildLibrarySteps: readonly Step<BuildLibraryContext, BuildLibraryState>[] = [
  planBuild,
  createShare,
  createPort,
  grantShareAccess,
  createBootVolume,
  createServer,
  installLibrary,
  withdrawAccess,
  publishShare,
  removeBuilder,
];
