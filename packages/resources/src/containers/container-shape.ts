import {
  id,
  integer,
  listOf,
  nonEmptyText,
  number,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { addressFields } from '../instances/addresses-shape.ts';

export const containerFields = {
  id: id('container'),
  name: text('worker'),
  status: nonEmptyText('Running').describe(
    'As in the container service: `Creating`, `Created`, `Running`, `Stopped`, `Error`, …',
  ),
  status_reason: text(''),
  image: text('nginx:1.27'),
  command: text('nginx -g "daemon off;"'),
  cpu: number(1).nullable().describe('Cores; null without a limit.'),
  memory: integer(512).nullable().describe('MB; null without a limit.'),
  addresses: listOf(part(addressFields)),
  host: nonEmptyText('compute-1').nullable().describe('Null for users who may not see it.'),
  created_at: timestamp().nullable(),
};

export const containerShape = shape('Container', containerFields);

export type Container = ShapeType<typeof containerShape>;
