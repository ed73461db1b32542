import { isIP } from 'node:net';
import type { Config } from '@gateway/platform';
import { AllowedAddresses } from './allowed-addresses.ts';

export interface UrlRules {
  allowed: AllowedAddresses;
  /** Whether a webhook may be reached without TLS. */
  allowHttp: boolean;
}

/** To which URLs the site sends webhooks. */
export function urlRules({ webhooks }: Pick<Config, 'webhooks'>): UrlRules {
  const { allowHttp, allowedNetworks } = webhooks;
  return { allowed: new AllowedAddresses(allowedNetworks), allowHttp };
}

/**
 * What is wrong with the URL of a webhook, for people; null for nothing. Addresses behind a name are checked
 * when the gateway connects.
 */
export function urlProblem(text: string, { allowed, allowHttp }: UrlRules): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    return allowHttp ? 'must begin with https:// or http://' : 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password';
  if (url.hash !== '') return 'must not contain a fragment';
  const address = addressIn(url);
  if (address !== null && !allowed.isAllowed(address)) return 'must not be an address of an internal network';
  return null;
}

/** The address that a URL names directly; null for a name. */
function addressIn({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}
