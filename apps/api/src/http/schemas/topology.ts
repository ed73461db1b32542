import type { TopologyInstance } from '@gateway/resources';
import Joi from 'joi';
import { addressesShape } from './addresses.ts';
import { type FieldsOf, listOf, nullableText, text } from './fields.ts';

/** An instance in a topology. */
export const topologyInstanceFields: FieldsOf<TopologyInstance> = {
  id: Joi.string(),
  name: text(),
  status: Joi.string(),
  task_state: nullableText(),
  network_ids: listOf(Joi.string()),
  network_names: listOf(text()),
  ip_addresses: addressesShape,
};
