import { type FirstBootStage, type FirstBootState, isFirstBootStage } from '@gateway/libraries';

const PENDING = 'The instance is setting up /workspace.';
const READY = '/workspace is mounted.';
const UNKNOWN =
  'The instance has not reported whether /workspace is mounted. Please look for "gateway first boot" in its console log; if there is no such line, please create the instance again.';
const LOG = 'The instance has the details in /var/log/gateway-first-boot.log.';
const FAILED = `/workspace could not be set up. Please restart the instance, which repeats the setup. ${LOG}`;
const DRIVER_PENDING = `${READY} The GPU driver is being installed.`;

/** What has failed in each stage, and what a user can do. */
const FAILURES: Partial<Record<FirstBootStage, string>> = {
  tools: `The programs that mount shares could not be installed. Please check that the network of the instance reaches the package sources of its image, and restart the instance. ${LOG}`,
  libraries: `The libraries could not be installed. Please check that the network of the instance reaches the file storage and the package index, and restart the instance. ${LOG}`,
  layers: `The shares of the libraries could not be mounted. Please check that the network of the instance reaches the file storage, and restart the instance. ${LOG}`,
  upper_disk: `The disk for the writable layer was not found or contains other data, which is never overwritten. Please check that it is still attached, and restart the instance. ${LOG}`,
  workspace: `The libraries could not be combined at /workspace. Please restart the instance; if that does not help, please choose another image. ${LOG}`,
  gpu: `${READY} The GPU driver could not be installed. Please check that the network of the instance reaches the package sources of its image, and restart the instance. ${LOG}`,
};

/** What is done in each stage. */
const STEPS: Partial<Record<FirstBootStage, string>> = {
  tools: `${PENDING} The programs that mount shares are being installed.`,
  libraries: `${PENDING} The libraries are being installed, which can take minutes.`,
  layers: `${PENDING} The shares of the libraries are being mounted.`,
  upper_disk: `${PENDING} It waits for the disk of the writable layer.`,
  workspace: `${PENDING} The libraries are being combined.`,
};

/** A sentence for users, with what they can do. The stage may be one that this version does not know. */
export function workspaceMessage({
  stage,
  result,
  isInTime,
}: Pick<FirstBootState, 'stage' | 'result'> & { isInTime: boolean }): string {
  const known = isFirstBootStage(stage) ? stage : null;
  if (result === 'failed') return (known && FAILURES[known]) ?? FAILED;
  if (result === 'ready') return READY;
  // The workspace is ready already.
  if (known === 'gpu') return DRIVER_PENDING;
  if (!isInTime) return UNKNOWN;
  return (known && STEPS[known]) ?? PENDING;
}
