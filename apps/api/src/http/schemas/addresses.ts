import type { InstanceAddress } from '@gateway/resources';
import Joi from 'joi';
import { listOf, part, text } from './fields.ts';

/** The addresses of an instance, as every list of instances shows them. */
export const addressesShape = listOf(
  part<InstanceAddress>({
    addr: Joi.string(),
    type: Joi.string().valid('fixed', 'floating'),
    network_name: text(),
  }),
);
