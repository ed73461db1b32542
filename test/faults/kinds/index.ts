import type { Kind } from '../kind.ts';
import { autoBackup } from './auto-backup.ts';
import { buildLibrary } from './build-library.ts';
import { createCluster } from './create-cluster.ts';
import { createDynamic } from './create-dynamic.ts';
import { createInZone } from './create-in-zone.ts';
import { createPlain } from './create-plain.ts';
import { createPrebuilt } from './create-prebuilt.ts';
import { createPrebuiltNfs } from './create-prebuilt-nfs.ts';
import { createWithVolumes } from './create-with-volumes.ts';
import { deleteCluster } from './delete-cluster.ts';
import { deleteLayered } from './delete-layered.ts';
import { removeLeftover } from './remove-leftover.ts';
import { scaleDown } from './scale-down.ts';
import { scaleUp } from './scale-up.ts';
import { takeSnapshots } from './take-snapshots.ts';
import { updateQuotas } from './update-quotas.ts';

/** All kinds of jobs. */
export const kinds: readonly Kind[] = [
  createPlain,
  createPrebuilt,
  createPrebuiltNfs,
  createDynamic,
  createWithVolumes,
  createInZone,
  deleteLayered,
  buildLibrary,
  autoBackup,
  createCluster,
  scaleUp,
  scaleDown,
  deleteCluster,
  takeSnapshots,
  removeLeftover,
  updateQuotas,
];
