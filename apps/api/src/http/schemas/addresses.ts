import { listOf, nonEmptyText, oneOf, part, text } from '@gateway/core/shapes';

/** The addresses of an instance, as every list of instances shows them. */
export const addressesShape = listOf(
  part({
    addr: nonEmptyText('10.0.0.11'),
    type: oneOf(['fixed', 'floating']),
    network_name: text('inside'),
  }),
  [{ type: 'fixed' }, { addr: '203.0.113.20', type: 'floating' }],
);
