import assert from 'node:assert/strict';
import { ProxyExceptions } from '../../../packages/openstack/src/proxy-exceptions.ts';

describe('the exceptions of a proxy', () => {
  const exceptions = new ProxyExceptions(['10.0.0.0/8', 'fd00::/8', '192.0.2.7', '.Example.org', 'cloud']);

  for (const host of [
    ...['10.1.2.3', '192.0.2.7', '[fd00::1]', 'identity.example.org', 'EXAMPLE.ORG', 'cloud', 'a.cloud'],
    ...['127.0.0.1', '127.1.2.3', 'localhost', '[::1]'],
  ]) {
    it(`include ${host}`, () => assert.equal(exceptions.include(host), true));
  }

  for (const host of ['11.0.0.1', '192.0.2.8', '[fe80::1]', 'badexample.org', 'cloud.example.com']) {
    it(`do not include ${host}`, () => assert.equal(exceptions.include(host), false));
  }
});
