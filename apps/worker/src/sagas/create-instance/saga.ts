import type { Config } from '@gateway/config';
import { invalidInput, type Sealer } from '@gateway/core';
import type { InstanceCreation } from '@gateway/jobs';
import type { BoundClient, WaitOptions } from '@gateway/openstack';
import { defineStep, type StepContext } from '@gateway/saga';
import type { Patience } from '../removal.ts';

/** What the steps of a creation work with. */
export interface CreateInstanceContext {
  jobId: string;
  projectId: string;
  input: InstanceCreation;
  config: Config;
  sealer: Sealer;
  /** The cloud as the owner of the job sees it; calls throw when his token has expired. */
  owner(): BoundClient;
  /**
   * The cloud for finding and removing what the job has made, by whatever right still works. It may be an
   * administrator's: what it finds by name must be seen to be this job's, in this project.
   */
  remover(): BoundClient;
  /** The cloud as the gateway's own user sees it; null when there is none. */
  service(): Promise<BoundClient | null>;
}

/** What was decided before anything was made. */
export interface CreationPlan {
  bootVolumeSizeGb: number;
  networkId: string;
  /** Where the floating IP comes from; null where none is given. */
  externalNetworkId: string | null;
  /** Dependencies first; empty for a plain instance. */
  libraryIds: string[];
  strategy: 'prebuilt' | 'dynamic' | null;
  /** Prebuilt shares in the order of the libraries. */
  prebuiltShares: PlannedShare[];
  /** The server needs its address before it exists, because a share lets addresses in. */
  needsPort: boolean;
}

export interface PlannedShare {
  id: string;
  libraryId: string;
  protocol: ShareProtocol;
}

export type ShareProtocol = 'NATIVEFS' | 'NFS';

/** An access rule made for this instance. */
export interface ShareAccess {
  shareId: string;
  ruleId: string;
}

/** What the steps leave behind for each other; it stands in the journal, so there is no secret in it. */
export interface CreateInstanceState {
  plan: CreationPlan;
  dynamicShareId: string;
  port: { id: string; address: string };
  accesses: ShareAccess[];
  bootVolumeId: string;
  upperVolumeId: string;
  serverId: string;
  upperDevice: string;
  floatingIpId: string;
}

export type CreateStepContext = StepContext<CreateInstanceContext, CreateInstanceState>;

export const defineCreateStep = defineStep<CreateInstanceContext, CreateInstanceState>();

/** A result of an earlier step, which is there by the order of the steps. */
export function need<K extends keyof CreateInstanceState>(
  { state }: CreateStepContext,
  key: K,
): CreateInstanceState[K] {
  const value = state[key];
  if (value === undefined) throw new Error(`The saga has no ${key} yet.`);
  return value as CreateInstanceState[K];
}

/** True for an instance with libraries. */
export function isLayered(context: CreateStepContext): boolean {
  return need(context, 'plan').libraryIds.length > 0;
}

/**
 * The name of something made for the instance: the instance's for people to recognise, the job's id to find
 * it by.
 */
export function nameFor({ input, jobId }: CreateInstanceContext, what: string): string {
  const LONGEST_READABLE_PART = 200;
  return `${input.name.slice(0, LONGEST_READABLE_PART)}-${what}-${jobId}`;
}

export function patience({ config, signal }: CreateStepContext, seconds: number): Patience {
  return { seconds, intervalMs: config.jobs.pollIntervalMs, signal };
}

/** What takes over after the time was up looks for so long: the one look might fall on a service that is away. */
const LEAST_WAIT_MS = 10_000;

export function waiting(context: CreateStepContext, describe: string, seconds: number): WaitOptions {
  const timeoutMs = seconds * 1000;
  const leftMs = context.since + timeoutMs - Date.now();
  return {
    timeoutMs: Math.max(leftMs, Math.min(timeoutMs, LEAST_WAIT_MS)),
    intervalMs: context.config.jobs.pollIntervalMs,
    describe,
    signal: context.signal,
  };
}

/** Something the request named is not there. */
export function missing(field: string, what: string) {
  return invalidInput(`${what} was not found.`, {
    errors: [{ field: `body.${field}`, message: 'was not found' }],
  });
}
