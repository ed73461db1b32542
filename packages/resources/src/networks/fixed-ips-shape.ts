import { idOrEmpty, listOf, nonEmptyText, part, type ShapeType, text } from '@gateway/core/shapes';

/** The addresses of a port. */
export const fixedIpsShape = listOf(
  part({
    subnet_id: idOrEmpty('subnet'),
    subnet_name: text('inside').nullable(),
    ip_address: nonEmptyText('10.0.0.1'),
  }),
);

/** An address of a port. */
export type NamedFixedIp = ShapeType<typeof fixedIpsShape>[number];
