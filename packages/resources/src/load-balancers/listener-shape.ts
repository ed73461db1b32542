import {
  id,
  idOrEmpty,
  integer,
  listOf,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';
import { statusFields } from './status-fields.ts';

export const listenerShape = shape('Listener', {
  id: id('listener'),
  name: text('http'),
  protocol: text('HTTP'),
  protocol_port: integer(80),
  ...statusFields,
  default_pool_id: idOrEmpty('default_pool').nullable(),
  default_pool_name: text('web').nullable(),
  default_tls_container_ref: text().nullable().describe('The certificate of `TERMINATED_HTTPS`.'),
  allowed_cidrs: listOf(nonEmptyText('10.0.0.0/24'))
    .nullable()
    .describe('The only networks that may connect; null for all, empty if the service sends no list.'),
  load_balancer_id: id('load_balancer'),
  load_balancer_name: text('web'),
});

export type Listener = ShapeType<typeof listenerShape>;
