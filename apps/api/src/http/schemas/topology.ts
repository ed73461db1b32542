import Joi from 'joi';
import { addressesShape } from './addresses.ts';
import { text } from './fields.ts';

/** An instance in a topology. */
export const topologyInstanceFields = {
  id: Joi.string(),
  name: text(),
  status: Joi.string(),
  task_state: Joi.string().allow(null),
  network_ids: Joi.array().items(Joi.string()),
  network_names: Joi.array().items(text()),
  ip_addresses: addressesShape,
};
