import { toTimestamp } from '@gateway/core';
import { isGatewayRule } from '@gateway/libraries';
import type { AccessRuleRecord } from '@gateway/openstack';
import type { AccessRule } from './access-rule-shape.ts';

export function presentAccessRule(rule: AccessRuleRecord): AccessRule {
  return {
    id: rule.id,
    access_type: rule.access_type === NATIVE_TYPE ? 'nativeauth' : rule.access_type,
    access_to: rule.access_to,
    // A rule that was created elsewhere without a level grants write access.
    access_level: rule.access_level ?? 'rw',
    state: rule.state,
    // Clients do not need the key of a rule of an instance, and could use it to pose as the instance.
    access_key: isGatewayRule(rule) ? null : rule.access_key,
    created_at: toTimestamp(rule.created_at),
  };
}

/** The shared file system service's name for `nativeauth`. */
const NATIVE_TYPE = 'cephx';

export function toServiceAccessType(type: 'nativeauth' | 'ip'): string {
  return type === 'nativeauth' ? NATIVE_TYPE : type;
}
