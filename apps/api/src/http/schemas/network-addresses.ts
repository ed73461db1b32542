import { isIP } from 'node:net';
import Joi, { type CustomHelpers } from 'joi';
import { listOf, part } from './fields.ts';

/** Parts of schemas for addresses, networks and routes. */

export function addressField() {
  return ipField('forbidden', 'must be an IP address');
}

export function cidrField() {
  return ipField('required', 'must be a network in CIDR notation, as 10.0.0.0/24');
}

function ipField(cidr: 'forbidden' | 'required', message: string): Joi.StringSchema {
  return Joi.string()
    .ip({ version: ['ipv4', 'ipv6'], cidr })
    .custom(requireAddress)
    .messages({ 'string.ip': message, 'string.ipVersion': message })
    .prefs({ abortEarly: true });
}

/** Joi takes leading zeros, which Node.js refuses: some programs read such a number as octal. */
function requireAddress(text: string, { error }: CustomHelpers): string | Joi.ErrorReport {
  const [address = ''] = text.split('/');
  return isIP(address) === 0 ? error('string.ip') : text;
}

/** Where a route leads. */
export interface Route {
  /** A network in CIDR notation. */
  destination: string;
  /** The address of the next router. */
  nexthop: string;
}

export interface AddressRange {
  start: string;
  end: string;
}

/** More than clouds allow (5 name servers, 20 or 30 routes by default). All are compared with each other. */
const MAX_ENTRIES = 100;

export function routesField() {
  return listOf(part<Route>({ destination: cidrField(), nexthop: addressField() }));
}

export function rangesField() {
  return listOf(part<AddressRange>({ start: addressField(), end: addressField() }));
}

export function addressesField() {
  return listOf(addressField());
}

/** A list that replaces all entries. */
export function entries<T>(list: Joi.ArraySchema<T>): Joi.ArraySchema<T> {
  return list.max(MAX_ENTRIES).unique() as Joi.ArraySchema<T>;
}
