import { toTimestamp } from '@gateway/core';
import { anyOf, integer, listOf, part, timestamp } from '@gateway/core/shapes';
import { TIME_SERIES_TYPES, type TimeSeriesPoint, type TimeSeriesType } from '@gateway/inventory';
import Joi from 'joi';
import { endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { adminTag } from '../admin-tag.ts';

const DAY_MS = 86_400_000;
const RANGES = { '1d': 1, '2d': 2, '7d': 7, '30d': 30 } as const;

interface Params {
  resource_type: TimeSeriesType;
}

interface Query {
  range: keyof typeof RANGES;
}

type HourlyCounts<Type extends TimeSeriesType = TimeSeriesType> = TimeSeriesPoint<Type> & {
  timestamp: string;
};

const hour = { timestamp: timestamp('2026-11-22T09:00:00Z') };
const count = integer();

async function readTimeSeries({
  app,
  params,
  query,
}: RequestContext<Params, Query>): Promise<HourlyCounts[]> {
  const since = app.clock.now() - RANGES[query.range] * DAY_MS;
  const found = await app.timeSeries.read(params.resource_type, since);
  return found.map(({ hour, snapshot }) => ({ timestamp: toTimestamp(hour) ?? '', ...snapshot }));
}

export const adminTimeSeriesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/timeseries/:resource_type',
    tag: adminTag,
    summary: 'Hourly counts of the resources of the cloud',
    description:
      'Oldest first. An hour without a snapshot is absent. Snapshots need a service user who is an administrator.',
    access: 'admin',
    params: Joi.object<Params, true>({
      resource_type: Joi.string()
        .valid(...TIME_SERIES_TYPES)
        .required(),
    }),
    query: Joi.object<Query, true>({
      range: Joi.string()
        .valid(...Object.keys(RANGES))
        .default('7d'),
    }),
    response: listOf(
      anyOf(
        part({
          ...hour,
          total: count,
          active: count,
          shutoff: count,
          error: count,
          other: count,
        }),
        part({
          ...hour,
          total: count,
          available: count,
          in_use: count,
          error: count,
          other: count,
          total_gb: count,
        }),
        part({ ...hour, total: count, total_gb: count }),
        part({
          ...hour,
          networks: count,
          routers: count,
          floating_ips_total: count,
          floating_ips_used: count,
        }),
      ),
    ),
    handler: readTimeSeries,
  }),
];
