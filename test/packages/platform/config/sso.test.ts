import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '@gateway/platform';
import { withFile } from './environment.ts';

const provider = {
  id: 'company',
  name: 'Company account',
  identity_provider: 'keycloak',
  protocol: 'openid',
};
const dashboard = 'https://dashboard.example.org/signed-in';

interface Differences {
  sso?: Record<string, unknown>;
  corsOrigins?: string[];
  publicUrl?: string | null;
}

function load({ corsOrigins = [new URL(dashboard).origin], publicUrl, sso }: Differences = {}) {
  const file = {
    sso: { providers: [provider], dashboards: [dashboard], ...sso },
    http: { cors_origins: corsOrigins },
    public_endpoint: { url: publicUrl === undefined ? 'https://gateway.example.org' : publicUrl },
  };
  return withFile(JSON.stringify(file), loadConfig).sso;
}

function problemOf(differences: Differences): string {
  try {
    load(differences);
  } catch (error) {
    assert(error instanceof ConfigError, String(error));
    return error.message;
  }
  throw new assert.AssertionError({ message: 'The configuration was taken.' });
}

describe('the single sign-on of the configuration', () => {
  it('has providers and the pages of dashboards', () => {
    const { dashboards, providers, url } = load();

    assert.deepEqual(providers, [
      { id: 'company', name: 'Company account', identityProvider: 'keycloak', protocol: 'openid' },
    ]);
    assert.deepEqual([dashboards, url], [[dashboard], null]);
  });

  it('needs a public address, to which browsers return', () => {
    assert.match(problemOf({ publicUrl: null }), /"public_endpoint\.url" must be set/);
  });

  it('needs a page to which browsers return', () => {
    assert.match(problemOf({ sso: { dashboards: [] } }), /"sso\.dashboards" must name a page/);
  });

  it('needs pages that may call the gateway', () => {
    assert.match(problemOf({ corsOrigins: [] }), /needs its origin https:\/\/dashboard\.example\.org/);
    const own = 'https://gateway.example.org/dashboard';
    assert.deepEqual(load({ corsOrigins: [], sso: { dashboards: [own] } }).dashboards, [own]);
  });

  it('has one page for each origin', () => {
    const dashboards = [dashboard, 'https://dashboard.example.org/other'];
    assert.match(problemOf({ sso: { dashboards } }), /has the origin of another dashboard/);
  });

  it('has each provider once, with an id for addresses', () => {
    assert.match(problemOf({ sso: { providers: [provider, provider] } }), /has the id of another provider/);
    for (const id of ['Company', '../evil', 'callback', '']) {
      assert.notEqual(problemOf({ sso: { providers: [{ ...provider, id }] } }), '', id);
    }
  });

  it('has no page with a fragment, a query or a user', () => {
    for (const end of ['#x', '?x=1']) {
      assert.match(problemOf({ sso: { dashboards: [dashboard + end] } }), /without user, query and fragment/);
    }
  });
});
