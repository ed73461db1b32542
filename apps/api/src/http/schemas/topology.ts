import { id, listOf, nonEmptyText, text } from '@gateway/core/shapes';
import { addressesShape } from './addresses.ts';

/** An instance in a topology. */
export const topologyInstanceFields = {
  id: id('instance'),
  name: text('web-1'),
  status: nonEmptyText('ACTIVE'),
  task_state: text().nullable(),
  network_ids: listOf(id('network')),
  network_names: listOf(text('inside')),
  ip_addresses: addressesShape,
};
