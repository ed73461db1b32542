import { trimEndChars } from '@gateway/core';

interface CookieScope {
  /** The address under which browsers reach the gateway; null for that of the request. */
  publicUrl: string | null;
  /** What precedes the gateway's paths there, such as `/gw`; by default the path of the address. */
  pathPrefix?: string;
  /** Whether the request came over TLS. */
  isTls?: boolean;
}

export interface HostCookie {
  name: string;
  path: string;
  httpOnly: true;
  secure: boolean;
}

/**
 * Name and attributes of a cookie that no other host of the site can set, and no page over plain HTTP.
 * Browsers ensure that for names with `__Host-`, which need TLS and the path of the whole host.
 * Gateways below different paths of one host therefore have different names. See decision 120.
 * @param path for plain HTTP, where browsers refuse the prefix
 */
export function hostCookie(
  name: string,
  path: string,
  { publicUrl, pathPrefix, isTls = false }: CookieScope,
): HostCookie {
  const url = publicUrl === null ? null : new URL(publicUrl);
  const prefix = pathPrefix ?? trimEndChars(url?.pathname ?? '', '/');
  if (!isTls && url?.protocol !== 'https:') {
    return { name, path: prefix + path, httpOnly: true, secure: false };
  }
  const below = prefix.match(/[\w-]+/g) ?? [];
  return { name: [`__Host-${name}`, ...below].join('-'), path: '/', httpOnly: true, secure: true };
}
