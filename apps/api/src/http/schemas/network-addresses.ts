import Joi from 'joi';
import { listOf, part } from './fields.ts';

/** Parts of schemas for addresses, networks and routes. */

export function addressField() {
  return Joi.string().ip({ cidr: 'forbidden' }).messages({ 'string.ip': 'must be an IP address' });
}

export function cidrField() {
  return Joi.string()
    .ip({ cidr: 'required' })
    .messages({ 'string.ip': 'must be a network in CIDR notation, as 10.0.0.0/24' });
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
