import assert from 'node:assert/strict';
import { UpstreamError } from '@gateway/openstack';
import { addSecurityRules } from '../../../apps/worker/src/sagas/create-lite-cluster/steps/security-group.ts';

describe("the rules of a lite cluster's security group", () => {
  /** Runs the step. The network service refuses the second rule with this code. Returns the calls made. */
  async function callsUntil(code: string): Promise<number> {
    let calls = 0;
    const create = async () => {
      calls += 1;
      if (calls === 2) throw new UpstreamError(409, code, 'No.', details);
    };
    const details = {
      service: 'network',
      operation: 'security_group_rules.create',
      upstreamStatus: 409,
      upstreamMessage: null,
      upstreamRequestId: null,
    } as const;
    const context = {
      config: { lite: { allowedFrom: { api: [], http: [], nodePorts: [], ssh: [] } } },
      input: { keyName: null },
      state: { plan: { subnetCidrs: ['10.0.0.0/24'] }, securityGroupId: 'group' },
      owner: () => ({ network: { securityGroupRules: { create } } }),
    };
    await addSecurityRules.run(context as unknown as Parameters<typeof addSecurityRules.run>[0]);
    return calls;
  }

  it('take one that the group already has as added', async () => {
    assert.equal(await callsUntil('conflict'), 4);
  });

  it('fail for a quota that is exceeded', async () => {
    await assert.rejects(callsUntil('quota_exceeded'), { code: 'quota_exceeded' });
  });
});
