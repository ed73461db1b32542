import { CLOCK_TOLERANCE_MS, GatewayError, unlessAborted } from '@gateway/core';
import { HOUR_MS, TIME_SERIES_TYPES, type TimeSeriesStore, type TimeSeriesType } from '@gateway/inventory';
import { snapshotProgress } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { announcer, defineStep, type Step } from '../../saga/index.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** The input and dependencies of the steps of a snapshot. */
export interface SnapshotContext {
  /** Milliseconds since the epoch. */
  hour: number;
  config: Config;
  timeSeries: TimeSeriesStore;
  /** When the job was requested, by the clock of the store; 0 if it is unknown. */
  requestedAt(): Promise<number>;
  service(): Promise<BoundClient | null>;
}

export interface SnapshotState {
  /** False if the job has counted nothing, because its hour is over or yet to come. */
  isTaken: boolean;
}

const defineSnapshotStep = defineStep<SnapshotContext, SnapshotState>();

const announce = announcer(snapshotProgress);

/**
 * Takes the snapshots of the hour that are missing. If the service of one type fails, the other types are
 * still counted. A job that runs hours after its request, as after a pause of its queue, would store figures
 * of another hour, and so would one that a worker requests whose clock is ahead. The hour then stays absent.
 */
const snapshot = defineSnapshotStep<{ isTaken: boolean }>({
  name: 'snapshot',
  beginUpdate: announce('SNAPSHOT_TAKING', 'The resources of the cloud are being counted.'),
  onRepeat: 'idempotent',
  async run(context) {
    const requestedAt = await context.requestedAt();
    const isYetToCome = context.hour > requestedAt + CLOCK_TOLERANCE_MS;
    if (isYetToCome || Date.now() > requestedAt + HOUR_MS) return { isTaken: false };
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
