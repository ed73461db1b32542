// A single sign-on, as any page of the gateway begins and ends one: the address has a code that only this tab
// can exchange.
import { below } from './page.js';

const KEY = 'gateway-ops-sign-on';
const VERIFIER_BYTES = 32;

/** Sends the browser to the identity provider. */
export async function beginSignOn(provider) {
  if (!isSecureContext) throw new Error('A single sign-on needs this page at an https address.');
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = base64url(new Uint8Array(hash));
  sessionStorage.setItem(KEY, verifier);
  const query = new URLSearchParams({ origin: location.origin, challenge, page: 'operators' });
  location.assign(below(`/api/auth/sso/${encodeURIComponent(provider)}?${query}`));
}

/** Removes the code from the page's address, and so from the history. Null if this tab has not begun. */
export function takeReturnedSignOn() {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  const verifier = sessionStorage.getItem(KEY);
  history.replaceState(null, '', below('/ops/login'));
  // A page of another site may have sent the browser here with a code of its own.
  if (code === null || verifier === null) return null;
  sessionStorage.removeItem(KEY);
  return { code, verifier };
}

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
