import { enumOf, listOf, nonEmptyText, part, type ShapeType, text } from '@gateway/core/shapes';

/** Fields of an address of an instance or a container. */
export const addressFields = {
  addr: nonEmptyText('10.0.0.11'),
  type: enumOf('AddressType', ['fixed', 'floating']),
  network_name: text('inside'),
};

/** The addresses of an instance, as every list of instances shows them. */
export const addressesShape = listOf(part(addressFields), [
  { type: 'fixed' },
  { addr: '203.0.113.20', type: 'floating' },
]);

export type InstanceAddress = ShapeType<typeof addressesShape>[number];
