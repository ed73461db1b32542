import { randomBytes } from 'node:crypto';
import { ServiceError } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import type { Receipt, User } from './state.ts';
import { passcodeAt } from './totp.ts';

/** The methods that the service is configured to accept. Rules ignore all others. */
const METHODS = [
  'external',
  'password',
  'token',
  'oauth1',
  'mapped',
  'application_credential',
  'totp',
  'kerberos',
];
const RECEIPT_LIFETIME_MS = 300_000;
const PASSCODE_LIFETIME_MS = 30_000;

/** The rules about the methods with which the user has to log in; none if every method is sufficient. */
export function rulesOf(user: User | undefined): string[][] {
  const { multi_factor_auth_enabled: isEnabled = true, multi_factor_auth_rules: rules = [] } =
    user?.options ?? {};
  if (!isEnabled) return [];
  return rules
    .map((rule) => rule.filter((method) => METHODS.includes(method)))
    .filter((rule) => rule.length > 0);
}

export function meetsRules(user: User, methods: string[]): boolean {
  const rules = rulesOf(user);
  return rules.length === 0 || rules.some((rule) => rule.every((method) => methods.includes(method)));
}

export function issueReceipt({ clock, identity }: IdentityCloud, user: User, methods: string[]): Receipt {
  const issuedMs = clock.now();
  const receipt = {
    id: `gAAAAA${randomBytes(100).toString('base64url')}`,
    userId: user.id,
    methods,
    issuedMs,
    expiresMs: issuedMs + RECEIPT_LIFETIME_MS,
  };
  identity.receipts.set(receipt.id, receipt);
  return receipt;
}

/** @throws 401 unless the receipt is valid, and of this user */
export function validReceipt({ clock, identity }: IdentityCloud, id: string, user: User): Receipt {
  const receipt = identity.receipts.get(id);
  if (receipt === undefined || receipt.expiresMs <= clock.now() || receipt.userId !== user.id)
    throw new ServiceError(401, `Could not find auth receipt: ${id}.`);
  return receipt;
}

/** The service accepts the passcodes of this and of the previous half minute, each as often as it is sent. */
export function isPasscode({ clock, identity }: IdentityCloud, user: User, passcode = ''): boolean {
  const times = [clock.now(), clock.now() - PASSCODE_LIFETIME_MS];
  return [...identity.credentials.values()]
    .filter(({ type, userId }) => type === 'totp' && userId === user.id)
    .some(({ blob }) => times.some((ms) => passcodeAt(blob, ms) === passcode));
}
