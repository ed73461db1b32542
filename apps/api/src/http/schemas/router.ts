import type { Router } from '@gateway/resources';
import Joi from 'joi';
import { listOf, namesBeside, nullableText, shape, text } from './fields.ts';

/** A router as lists show it, also the lists of other resources. */
export const routerShape = shape<Router>(
  'Router',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    project_id: text(),
    project_name: nullableText(),
    external_gateway_network_id: Joi.string().allow(null),
    external_gateway_network_name: nullableText(),
    connected_subnet_ids: listOf(Joi.string()),
    connected_subnet_names: namesBeside(),
  },
  () => ({ status: 'ACTIVE' }),
);

export const routerRows = {
  filters: { network_id: ['external_gateway_network_id'], subnet_id: ['connected_subnet_ids'] },
} as const;
