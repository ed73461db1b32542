import type { NamedFixedIp } from '@gateway/views';
import Joi from 'joi';
import { listOf, nullableText, part } from './fields.ts';

/** The addresses of a port. */
export const fixedIpsShape = listOf(
  part<NamedFixedIp>({ subnet_id: Joi.string(), subnet_name: nullableText(), ip_address: Joi.string() }),
);
