/** The part of a browser's page that a single sign-on uses. */
interface SignOnPage {
  location: { origin: string; pathname: string; search: string; hash: string; assign(address: string): void };
  history: { state: unknown; replaceState(state: unknown, unused: string, address: string): void };
  sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
}

/** What a page needs to fetch its session. */
interface ReturnedSignOn {
  code: string;
  verifier: string;
}

const KEY = 'gateway-sign-on';
const VERIFIER_BYTES = 32;

/** Stores a new verifier in the tab. Returns the origin of the page, and the challenge of the verifier. */
export async function beginSignOn(): Promise<{ origin: string; challenge: string }> {
  const { location, sessionStorage } = thisPage();
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(KEY, verifier);
  return { origin: location.origin, challenge: base64url(new Uint8Array(hash)) };
}

export function leaveFor(address: string): void {
  thisPage().location.assign(address);
}

/** Removes the code from the address of the page. Null if this tab has not begun, or has not returned. */
export function takeReturnedSignOn(): ReturnedSignOn | null {
  const { history, location, sessionStorage } = thisPage();
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  const verifier = sessionStorage.getItem(KEY);
  // A page of another site may have sent the browser here with a code of its own.
  if (code === null || verifier === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  sessionStorage.removeItem(KEY);
  return { code, verifier };
}

function thisPage(): SignOnPage {
  return globalThis as unknown as SignOnPage;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
