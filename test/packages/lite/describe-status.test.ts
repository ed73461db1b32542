import assert from 'node:assert/strict';
import { describeStatus, type LiteCluster } from '@gateway/lite';

const FAILED = 'The agents could not be added.';
const LOST = /The credential of the cluster no longer works: .* Restore the role or add the rule, /;

function reasonOf(change: Partial<LiteCluster>): string | null {
  const cluster = {
    id: 'c1',
    status: 'ACTIVE',
    statusReason: null,
    hasFloatingIp: false,
    serverIp: '10.0.0.5',
    plugins: [],
  };
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

    assert.match(reason, new RegExp(`^${FAILED} ${LOST.source}.* The gateway has not reached`));
  });

  it('is that of the record alone unless the cluster is ACTIVE', () => {
    for (const status of ['ERROR', 'DELETED'] as const) {
      const problems = { isCredentialLost: true, isNeverReached: true };
      assert.equal(reasonOf({ status, statusReason: FAILED, ...problems }), FAILED);
      assert.equal(reasonOf({ status, ...problems }), null);
    }
  });

  it('says how a lost credential is replaced', () => {
    const endpoint = /POST \/api\/lite\/clusters\/c1\/credential/;
    assert.match(reasonOf({ isCredentialLost: true, plugins: ['block_csi'] }) ?? '', endpoint);

    const withKey = reasonOf({ isCredentialLost: true, plugins: ['block_csi', 'secrets_kms'] }) ?? '';
    assert.match(withKey, /or create the cluster again\.$/);
    assert.doesNotMatch(withKey, endpoint);
  });
});
