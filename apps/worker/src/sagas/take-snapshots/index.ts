import { GatewayError, unlessAborted } from '@gateway/core';
import { TIME_SERIES_TYPES, type TimeSeriesStore, type TimeSeriesType } from '@gateway/inventory';
import { snapshotProgress } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { defineStep, type Step } from '../../saga/index.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** The input and dependencies of the steps of a snapshot. */
export interface SnapshotContext {
  /** Milliseconds since the epoch. */
  hour: number;
  config: Config;
  timeSeries: TimeSeriesStore;
  service(): Promise<BoundClient | null>;
}

export interface SnapshotState {
  isTaken: boolean;
}

const defineSnapshotStep = defineStep<SnapshotContext, SnapshotState>();

/**
 * Takes the snapshots of the hour that are missing. If the service of one type fails, the other types are
 * still counted.
 */
const snapshot = defineSnapshotStep<{ isTaken: boolean }>({
  name: 'snapshot',
  beginUpdate: {
    step: 'SNAPSHOT_TAKING',
    progress: snapshotProgress.SNAPSHOT_TAKING,
    message: 'The resources of the cloud are being counted.',
  },
  onRepeat: 'idempotent',
  async run(context) {
    const openstack = await context.service();
    if (openstack === null)
      throw new GatewayError(
        503,
        'service_user_missing',
        'The gateway has no service user, which reads the whole cloud.',
      );
    const taking = Promise.allSettled(TIME_SERIES_TYPES.map((type) => take(context, openstack, type)));
    const taken = await unlessAborted(taking, context.signal);
    for (const result of taken) if (result.status === 'rejected') throw result.reason;
    return { isTaken: true };
  },
});

async function take(
  { config, hour, timeSeries }: SnapshotContext,
  openstack: BoundClient,
  type: TimeSeriesType,
): Promise<void> {
  if (await timeSeries.has(type, hour)) return;
  await timeSeries.add(type, hour, await takeSnapshot(type, { openstack, services: config.services }));
}

/** Counts the resources of the whole cloud for one hour. Creates nothing in the cloud. */
export const takeSnapshotsSteps: readonly Step<SnapshotContext, SnapshotState>[] = [snapshot];
