import { flag, id, integer, type ShapeType, shape, text } from '@gateway/core/shapes';
import { statusFields } from './status-fields.ts';

export const poolMemberShape = shape('PoolMember', {
  id: id('pool_member'),
  name: text('web-1'),
  address: text('10.0.0.11'),
  protocol_port: integer(80),
  weight: integer(),
  /** Whether it gets requests only while no other member can. */
  backup: flag(false),
  ...statusFields,
  subnet_id: text().nullable(),
  subnet_name: text('inside').nullable(),
});

export type PoolMember = ShapeType<typeof poolMemberShape>;
