import { JOB_METADATA_KEY, mapInSlices, toTimestamp } from '@gateway/core';
import type { FirstBootState } from '@gateway/libraries';
import type { Config } from '@gateway/platform';
import type { LoadSources } from '../lists/cached-list.ts';
import type { Workspace } from './instance-shape.ts';
import { workspaceMessage } from './workspace-messages.ts';

/** The fields of an instance that its workspace depends on. */
export interface WorkspaceOwner {
  created_at: string | null;
  metadata: Readonly<Record<string, string>>;
  overlay_libraries: readonly string[];
}

/** The job that created an instance with libraries, as its metadata says; null for another instance. */
export function creationJobOf({ metadata, overlay_libraries: libraries }: WorkspaceOwner): string | null {
  return libraries.length === 0 ? null : (metadata[JOB_METADATA_KEY] ?? null);
}

/** Sets the workspaces of a project's instances. Reads the states of all of them with one command. */
export async function addWorkspaces(
  instances: readonly (WorkspaceOwner & { workspace: Workspace | null })[],
  { clock, config, onIncomplete, reader, readFirstBoots }: LoadSources,
): Promise<void> {
  const layered = instances.filter(({ overlay_libraries: libraries }) => libraries.length > 0);
  const jobIds = layered.map(creationJobOf).filter((jobId) => jobId !== null);
  const states = await readFirstBoots(reader.projectId, jobIds).catch(() => {
    onIncomplete();
    return new Map<string, FirstBootState>();
  });
  const now = clock.now();
  await mapInSlices(layered, (instance) => {
    const state = states.get(creationJobOf(instance) ?? '') ?? null;
    instance.workspace = presentWorkspace(instance, state, { config, now });
  });
}

interface Context {
  config: { timeLimits: Pick<Config['timeLimits'], 'firstBootSeconds'> };
  /** In milliseconds since the epoch. */
  now: number;
}

/** Returns null for an instance without libraries. */
export function presentWorkspace(
  instance: WorkspaceOwner,
  state: FirstBootState | null,
  { config, now }: Context,
): Workspace | null {
  if (instance.overlay_libraries.length === 0) return null;
  const createdAt = Date.parse(instance.created_at ?? '');
  const since = Math.max(Number.isNaN(createdAt) ? 0 : createdAt, state?.at ?? 0);
  const isInTime = now - since < config.timeLimits.firstBootSeconds * 1000;
  const status = statusOf(state, isInTime);
  const stage = state === null || state.stage === 'done' ? null : state.stage;
  return {
    status,
    stage,
    message: workspaceMessage({ stage: stage ?? '', result: state?.result ?? 'running', isInTime }),
    checked_at: state === null ? null : toTimestamp(state.at),
  };
}

/** The stage after the workspace installs the GPU driver, without which the workspace is usable. */
const AFTER_WORKSPACE = 'gpu';

function statusOf(state: FirstBootState | null, isInTime: boolean): Workspace['status'] {
  if (state?.result === 'ready' || state?.stage === AFTER_WORKSPACE) return 'ready';
  if (state?.result === 'failed') return 'failed';
  return isInTime ? 'pending' : 'unknown';
}
