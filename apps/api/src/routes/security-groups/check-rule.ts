import { invalidInput } from '@gateway/core';
import type { CreateRuleBody } from './schemas.ts';

const MAX_ICMP = 255;

type Problem = [field: keyof CreateRuleBody, message: string];

/** Checks the fields of a rule that depend on each other. @throws 400 */
export function checkRule(rule: CreateRuleBody): void {
  const problem = problemOfRemote(rule) ?? problemOfPorts(rule);
  if (problem === null) return;
  const [field, message] = problem;
  throw invalidInput(`${field} ${message}.`, { errors: [{ field: `body.${field}`, message }] });
}

function problemOfRemote({ ethertype, remote_group_id, remote_ip_prefix }: CreateRuleBody): Problem | null {
  if (remote_ip_prefix === undefined) return null;
  if (remote_group_id !== undefined) return ['remote_group_id', 'must not come with remote_ip_prefix'];
  const version = remote_ip_prefix.includes(':') ? 'IPv6' : 'IPv4';
  return version === ethertype
    ? null
    : ['remote_ip_prefix', `must be a network of the ethertype ${ethertype}`];
}

function problemOfPorts({
  port_range_max: max,
  port_range_min: min,
  protocol = null,
}: CreateRuleBody): Problem | null {
  if (min === undefined && max === undefined) return null;
  if (protocol === null) return ['protocol', 'is required with a range of ports'];
  if (min === undefined) return ['port_range_min', 'is required with port_range_max'];
  if (protocol === 'icmp') return problemOfIcmp(min, max);
  if (max === undefined) return ['port_range_max', 'is required with port_range_min'];
  if (min === 0) return ['port_range_min', 'must be at least 1'];
  return min <= max ? null : ['port_range_max', 'must not be less than port_range_min'];
}

function problemOfIcmp(type: number, code: number | undefined): Problem | null {
  if (type > MAX_ICMP) return ['port_range_min', `must be a type of ICMP, at most ${MAX_ICMP}`];
  if (code !== undefined && code > MAX_ICMP) {
    return ['port_range_max', `must be a code of ICMP, at most ${MAX_ICMP}`];
  }
  return null;
}
