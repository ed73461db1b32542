import assert from 'node:assert/strict';
import { presentCurrentUser, presentToken } from '../../../apps/api/src/routes/auth/user-in-project.ts';
import { recordedIdentity, token } from '../../packages/openstack/cloud.ts';

describe('a user in a project', () => {
  it('is shown with a token, and without', () => {
    const identity = recordedIdentity();
    const common = {
      project_id: identity.projectId,
      project_name: identity.projectName,
      project_domain_id: 'default',
      project_domain_name: 'Default',
      user_id: identity.userId,
      username: 'demo',
      user_domain_id: 'default',
      user_domain_name: 'Default',
    };
    assert.deepEqual(presentToken(identity, true), {
      ...common,
      token,
      roles: ['member', 'reader'],
      is_admin: true,
      expires_at: identity.expiresAt.replace('.000000Z', 'Z'),
    });
    assert.deepEqual(presentCurrentUser(identity, ['change']), {
      ...common,
      roles: ['member', 'reader'],
      can: ['change'],
    });
  });
});
