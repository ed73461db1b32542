import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Stack, StackOptions } from '../../../scripts/stack.ts';
import { isRealCloud } from '../stacks/test-stack.ts';
import { CloudsimControl } from './cloudsim-control.ts';
import { GatewayClient } from './gateway-client.ts';
import { TestBrowser } from './test-browser.ts';

const ORIGIN = 'https://dashboard.example.org';
const PROVIDER = 'company';
const CALLBACK_PATH = '/api/auth/sso/callback';

interface Session {
  token: string;
  project_id: string;
  username: string;
}

interface SignOn {
  code: string;
  /** The token that the identity service has sent through the browser. */
  token: string;
  session: { status: number; body: Session & { code?: string } };
  verifier: string;
}

/** A dashboard of another origin than the gateway, whose users sign on at pages of the identity service. */
export class Dashboard {
  readonly #url: string;

  constructor({ url }: Pick<Stack, 'url'>) {
    this.#url = url;
  }

  /** Whether a real cloud offers single sign-on to the tests. Says so if not. */
  static isAvailable(): boolean {
    const { TESTCLOUD_SSO_URL, TESTCLOUD_SSO_CALLBACK } = process.env;
    const isAvailable = !isRealCloud() || Boolean(TESTCLOUD_SSO_URL && TESTCLOUD_SSO_CALLBACK);
    if (!isAvailable)
      process.stderr.write('      SKIPPED: TESTCLOUD_SSO_URL and TESTCLOUD_SSO_CALLBACK are not set\n');
    return isAvailable;
  }

  /** What a stack needs. A real identity service sends tokens to one address of the gateway only. */
  static options() {
    const { TESTCLOUD_SSO_CALLBACK, TESTCLOUD_SSO_URL } = process.env;
    const callback = new URL(TESTCLOUD_SSO_CALLBACK ?? 'http://127.0.0.1');
    return {
      ...(isRealCloud() && { ports: { api: Number(callback.port) } }),
      config: {
        sso: {
          url: isRealCloud() ? TESTCLOUD_SSO_URL : null,
          providers: [
            { id: PROVIDER, name: 'Company account', identity_provider: 'testidp', protocol: 'openid' },
          ],
          dashboards: [`${ORIGIN}/signed-in`],
        },
        http: { cors_origins: [ORIGIN] },
      },
    } satisfies StackOptions;
  }

  /** Makes the simulated identity service send tokens to the gateway. */
  static async trust({ cloudsim, url }: Stack): Promise<void> {
    if (cloudsim === null) return;
    await new CloudsimControl(cloudsim.url).set({ trustedDashboards: [url + CALLBACK_PATH] });
  }

  get callback(): string {
    return this.#url + CALLBACK_PATH;
  }

  newVerifier(): { verifier: string; challenge: string } {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  /** The address at the gateway where a single sign-on begins. */
  beginning(challenge: string): string {
    return `${this.#url}/api/auth/sso/${PROVIDER}?${new URLSearchParams({ origin: ORIGIN, challenge })}`;
  }

  async exchange(body: object): Promise<SignOn['session']> {
    const response = await fetch(`${this.#url}/api/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Session };
  }

  /** A person who comes from the page of the dashboard, and returns to it. */
  async signOn(person: string, browser = new TestBrowser()): Promise<SignOn> {
    const { challenge, verifier } = this.newVerifier();
    const { returned, token } = await browser.signOn(this.beginning(challenge), person);
    assert.equal(returned.status, 303, returned.text);
    const location = returned.headers.get('location') ?? '';
    assert.match(location, new RegExp(`^${ORIGIN}/signed-in#code=`));
    const code = location.slice(location.indexOf('=') + 1);
    return { code, token, session: await this.exchange({ code, verifier }), verifier };
  }

  async gatewayOf(person: string): Promise<GatewayClient> {
    const { session } = await this.signOn(person);
    assert.equal(session.status, 200, JSON.stringify(session.body));
    return new GatewayClient(this.#url, session.body.token, session.body.project_id);
  }
}
