import { unauthorized } from '@gateway/core';
import type { CallContext, Openstack } from '@gateway/openstack';
import { areCredentialsWrong } from './log-in.ts';
import { type DomainFields, domainsOf } from './log-in-domains.ts';

export interface ExpiredPassword extends Pick<DomainFields, 'domain_name' | 'user_domain'> {
  username: string;
  current_password: string;
  new_password: string;
}

/**
 * Changes a password that has expired, for which its user needs no token. Wrong credentials give the error of
 * a log-in. The identity service's reasons against the new password are kept.
 * @returns the user's id
 * @throws `conflict` for a password that has not expired: then the user can log in, with all factors
 */
export async function changeExpiredPassword(
  { identity }: Openstack,
  { username, current_password: current, new_password, ...domains }: ExpiredPassword,
  call: CallContext,
): Promise<string> {
  const { user: domain } = domainsOf(domains);
  let userId: string;
  try {
    userId = await identity.userOfExpiredPassword({ username, domain, password: current }, call);
  } catch (error) {
    throw areCredentialsWrong(error)
      ? unauthorized('The user name, password or domain is wrong.', { cause: error })
      : error;
  }
  await identity.changePassword(userId, { current, new: new_password }, call);
  return userId;
}
