import { toTimestamp } from '@gateway/core';
import { TIME_SERIES_TYPES, type TimeSeriesType } from '@gateway/time-series';
import Joi from 'joi';
import { part, timestamp } from '../../http/schemas/fields.ts';
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

function counts(...names: string[]) {
  const count = Joi.number().integer();
  return part({ timestamp: timestamp(), ...Object.fromEntries(names.map((name) => [name, count])) });
}

async function readTimeSeries({ app, params, query }: RequestContext<Params, Query>) {
  const since = app.clock.now() - RANGES[query.range] * DAY_MS;
  const found = await app.timeSeries.read(params.resource_type, since);
  return found.map(({ hour, snapshot }) => ({ timestamp: toTimestamp(hour), ...snapshot }));
}

export const adminTimeSeriesEndpoints = [
  endpoint<Params, Query>({
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
    response: Joi.array().items(
      Joi.alternatives(
        counts('total', 'active', 'shutoff', 'error', 'other'),
        counts('total', 'available', 'in_use', 'error', 'other', 'total_gb'),
        counts('total', 'total_gb'),
        counts('networks', 'routers', 'floating_ips_total', 'floating_ips_used'),
      ),
    ),
    handler: readTimeSeries,
  }),
];
