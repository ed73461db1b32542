import { finishBackup, finishBackupRemoval, finishRestore } from '../block-storage/backups.ts';
import { finishRetype } from '../block-storage/retype.ts';
import { finishSnapshot, finishSnapshotRemoval } from '../block-storage/snapshots.ts';
import { finishVolumeUpload, startVolumeUpload } from '../block-storage/upload.ts';
import {
  finishDownload,
  finishExtension,
  finishVolume,
  finishVolumeRemoval,
  startDownload,
} from '../block-storage/volumes.ts';
import { finishAction } from '../compute/actions.ts';
import { connectServer, placeServer, removeServer, setFault, startServer } from '../compute/build.ts';
import { finishServerImage, startServerImage } from '../compute/create-image.ts';
import { unplugPort } from '../compute/interfaces.ts';
import { finishEvacuation, finishLiveMigration, finishMigration } from '../compute/migrations.ts';
import { finishRebuild, finishRescue, finishUnrescue } from '../compute/rebuild.ts';
import { finishConfirm, finishResize, finishRevert } from '../compute/resize.ts';
import { finishAttachment, finishDetachment, startAttachment } from '../compute/volume-attachments.ts';
import { finishContainer, finishContainerAction, finishContainerRemoval } from '../container/containers.ts';
import { finishCluster, finishClusterRemoval } from '../container-infra/clusters.ts';
import { finishLbChange, finishLbRemoval } from '../load-balancer/changes.ts';
import { finishLoadBalancerRemoval } from '../load-balancer/load-balancers.ts';
import { showToCompute } from '../network/floating-ips.ts';
import { applyRule, finishRuleRemoval } from '../shared-file-system/access-rules.ts';
import { finishShare, removeShare, removeShareInstance } from '../shared-file-system/shares.ts';
import { finishShareSnapshot, finishShareSnapshotRemoval } from '../shared-file-system/snapshots.ts';

/**
 * All functions that the schedule may run. A state file stores their names: raise its version when you rename
 * or remove a function, or change its arguments.
 */
export const tasks = [
  applyRule,
  connectServer,
  finishAction,
  finishAttachment,
  finishBackup,
  finishBackupRemoval,
  finishCluster,
  finishClusterRemoval,
  finishConfirm,
  finishContainer,
  finishContainerAction,
  finishContainerRemoval,
  finishDetachment,
  finishDownload,
  finishEvacuation,
  finishExtension,
  finishLbChange,
  finishLbRemoval,
  finishLiveMigration,
  finishLoadBalancerRemoval,
  finishMigration,
  finishRebuild,
  finishRescue,
  finishResize,
  finishRestore,
  finishRetype,
  finishRevert,
  finishRuleRemoval,
  finishServerImage,
  finishShare,
  finishShareSnapshot,
  finishShareSnapshotRemoval,
  finishSnapshot,
  finishSnapshotRemoval,
  finishUnrescue,
  finishVolume,
  finishVolumeRemoval,
  finishVolumeUpload,
  placeServer,
  removeServer,
  removeShare,
  removeShareInstance,
  setFault,
  showToCompute,
  startAttachment,
  startDownload,
  startServer,
  startServerImage,
  startVolumeUpload,
  unplugPort,
];
