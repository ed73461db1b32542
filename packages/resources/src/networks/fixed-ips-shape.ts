import { idOrEmpty, listOf, nonEmptyText, part, text } from '@gateway/core/shapes';

/** The addresses of a port. */
export const fixedIpsShape = listOf(
  part({
    subnet_id: idOrEmpty('subnet'),
    subnet_name: text('inside').nullable(),
    ip_address: nonEmptyText('10.0.0.1'),
  }),
);
