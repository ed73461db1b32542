import { passcodeAt } from '../../../apps/cloudsim/src/identity/totp.ts';
import type { CloudClient } from '../clients/cloud-client.ts';

/** In base32. */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/**
 * Requires a passcode for the log-ins of the user, besides the password. `further` has more rules, of which
 * each is sufficient. @returns the current passcode
 */
export async function requirePasscode(
  admin: CloudClient,
  userId: string,
  further: string[][] = [],
): Promise<() => string> {
  const credential = { type: 'totp', user_id: userId, blob: KEY };
  await admin.call('identity', 'POST', '/credentials', { credential });
  const options = {
    multi_factor_auth_enabled: true,
    multi_factor_auth_rules: [['password', 'totp'], ...further],
  };
  await admin.call('identity', 'PATCH', `/users/${userId}`, { user: { options } });
  return () => passcodeAt(KEY, Date.now());
}
