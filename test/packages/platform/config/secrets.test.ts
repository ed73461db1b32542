import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '@gateway/platform';
import { minimalEnvironment, withFile } from './environment.ts';

const GOOD = Buffer.alloc(32, 7).toString('base64');

function faultOf(keys: string): string {
  try {
    loadConfig(minimalEnvironment({ GATEWAY_SEALING_KEYS: keys }));
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  throw new assert.AssertionError({ message: 'The keys were taken.' });
}

describe('sealing keys', () => {
  it('are in the given order', () => {
    const { secrets } = loadConfig(minimalEnvironment({ GATEWAY_SEALING_KEYS: `new:${GOOD}, old:${GOOD}` }));

    assert.deepEqual(
      secrets.sealingKeys.map(({ id }) => id),
      ['new', 'old'],
    );
  });

  it('of another length are rejected', () => {
    const short = Buffer.alloc(16, 7).toString('base64');

    assert.equal(
      faultOf(`k1:${GOOD},k2:${short}`),
      'Configuration: GATEWAY_SEALING_KEYS: entry 2 must have a key of 32 bytes, not 16.',
    );
  });

  it('with a duplicate id are rejected', () => {
    assert.match(faultOf(`k1:${GOOD},k1:${GOOD}`), /entry 2 has the id of an earlier one\.$/);
  });

  for (const [what, keys] of [
    ['without an id', GOOD],
    ['written the wrong way round', `${GOOD}:k1`],
    ['that are no base64', 'k1:not/base64!'],
    ['with a part too many', `k1:${GOOD}:more`],
  ] as const) {
    it(`${what} are rejected without being shown`, () => {
      const fault = faultOf(keys);

      assert.match(fault, /entry 1 must be id:key/);
      assert(!fault.includes(GOOD) && !fault.includes('not/base64'), fault);
    });
  }
});

describe('the service password', () => {
  const text = 'service_user: { username: gateway, project_name: service }';

  it('is required with a service user', () => {
    assert.throws(
      () => withFile(text, loadConfig),
      new ConfigError(['GATEWAY_SERVICE_PASSWORD must be set if "service_user" is set']),
    );
  });

  it('is not accepted in the file', () => {
    assert.throws(
      () => withFile('service_user: { username: a, project_name: b, password: hush }', loadConfig),
      (error: Error) =>
        error.message.includes('"service_user.password" is not a known key') &&
        !error.message.includes('hush'),
    );
  });
});
