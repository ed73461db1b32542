import type { Config, SsoProvider } from '@gateway/platform';
import { baseUrl } from '../catalog.ts';
import { path } from '../url.ts';

type Settings = Pick<Config, 'identity' | 'sso'>;

/**
 * The page of the identity service that signs a browser on, and has it send a token to `callback` in a form.
 * The service compares `callback` with its `trusted_dashboard` as a text.
 */
export function webSignOnUrl(config: Settings, provider: SsoProvider, callback: string): string {
  const { identityProvider, protocol } = provider;
  const page =
    identityProvider === null
      ? path`/auth/OS-FEDERATION/websso/${protocol}`
      : path`/auth/OS-FEDERATION/identity_providers/${identityProvider}/protocols/${protocol}/websso`;
  return `${browserUrl(config)}${page}?${new URLSearchParams({ origin: callback })}`;
}

/** The origin of the form that the page sends. */
export function webSignOnOrigin(config: Settings): string {
  return new URL(browserUrl(config)).origin;
}

function browserUrl({ identity, sso }: Settings): string {
  return baseUrl('identity', sso.url ?? identity.url);
}
