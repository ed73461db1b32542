import assert from 'node:assert/strict';
import { CREDENTIAL_LOST, describeStatus, type LiteCluster } from '@gateway/lite';

const FAILED = 'The agents could not be added.';

function reasonOf(change: Partial<LiteCluster>): string | null {
  const cluster = { status: 'ACTIVE', statusReason: null, hasFloatingIp: false, serverIp: '10.0.0.5' };
  return describeStatus({ ...cluster, ...change } as LiteCluster);
}

describe('the status reason of a cluster', () => {
  it('is null without problems', () => {
    assert.equal(reasonOf({}), null);
    assert.equal(reasonOf({ isNeverReached: false, isCredentialLost: false }), null);
  });

  it('names the setting that helps to reach the API server', () => {
    assert.match(
      reasonOf({ isNeverReached: true }) ?? '',
      /^The gateway has not reached the API server at 10\.0\.0\.5 yet: .*lite\.floating_ip/,
    );
    const withFloatingIp = reasonOf({ isNeverReached: true, hasFloatingIp: true }) ?? '';
    assert.match(withFloatingIp, /lite\.allowed_from\.api/);
    assert.doesNotMatch(withFloatingIp, /lite\.floating_ip/);
  });

  it('has every problem that holds', () => {
    const reason = reasonOf({ statusReason: FAILED, isCredentialLost: true, isNeverReached: true }) ?? '';

    assert.ok(reason.startsWith(`${FAILED} ${CREDENTIAL_LOST} The gateway has not reached`), reason);
  });

  it('is that of the record alone unless the cluster is ACTIVE', () => {
    for (const status of ['ERROR', 'DELETED'] as const) {
      const problems = { isCredentialLost: true, isNeverReached: true };
      assert.equal(reasonOf({ status, statusReason: FAILED, ...problems }), FAILED);
      assert.equal(reasonOf({ status, ...problems }), null);
    }
  });

  it('does not repeat what an older version wrote into the record', () => {
    assert.equal(reasonOf({ statusReason: CREDENTIAL_LOST }), CREDENTIAL_LOST);
    assert.equal(reasonOf({ statusReason: CREDENTIAL_LOST, isCredentialLost: true }), CREDENTIAL_LOST);
  });
});
