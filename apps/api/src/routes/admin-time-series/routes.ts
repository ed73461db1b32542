import { toTimestamp } from '@gateway/core';
import { TIME_SERIES_TYPES, type TimeSeriesType } from '@gateway/inventory';
import Joi from 'joi';
import { endpoint } from '../../pipeline/endpoint.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { adminTags } from '../admin-tags.ts';
import { type HourlyCounts, timeSeriesShape } from './shapes.ts';

const DAY_MS = 86_400_000;
const RANGES = { '1d': 1, '2d': 2, '7d': 7, '30d': 30 } as const;

interface Params {
  resource_type: TimeSeriesType;
}

interface Query {
  range: keyof typeof RANGES;
}

async function readTimeSeries({
  app,
  params,
  query,
}: RequestContext<Params, Query>): Promise<HourlyCounts[]> {
  const since = app.clock.now() - RANGES[query.range] * DAY_MS;
  const found = await app.timeSeries.read(params.resource_type, since);
  return found.map(
    ({ hour, snapshot }) =>
      ({
        resource_type: params.resource_type,
        timestamp: toTimestamp(hour) ?? '',
        ...snapshot,
      }) as HourlyCounts,
  );
}

export const adminTimeSeriesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/timeseries/:resource_type',
    tag: adminTags.overview,
    summary: 'Hourly counts of the resources of the cloud',
    description:
      'Oldest first. An hour without a snapshot is absent. Snapshots need a service user who is an administrator.',
    access: 'admin',
    params: Joi.object<Params, true>({
      resource_type: Joi.string()
        .valid(...TIME_SERIES_TYPES)
        .meta({ name: 'TimeSeriesType' })
        .required(),
    }),
    query: Joi.object<Query, true>({
      range: Joi.string()
        .valid(...Object.keys(RANGES))
        .default('7d'),
    }),
    response: timeSeriesShape,
    handler: readTimeSeries,
  }),
];
