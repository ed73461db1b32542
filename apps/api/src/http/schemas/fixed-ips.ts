import type { NamedFixedIp } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nullableText, part, text } from './fields.ts';

/** The addresses of a port. */
export const fixedIpsShape = listOf(
  part<NamedFixedIp>({ subnet_id: text(), subnet_name: nullableText(), ip_address: Joi.string() }),
);
