import assert from 'node:assert/strict';
import { type BoundClient, UpstreamError } from '@gateway/openstack';
import type { Logger } from '@gateway/platform';
import { removeUnusedAccessRules } from '../../../apps/worker/src/sagas/lite-clusters/credentials.ts';

const OURS = { service: 'network', method: 'GET', path: '/**v2.0/ports' };

describe('the removal of access rules', () => {
  interface Owner {
    rules: { id: string; path?: string }[];
    credentials?: { name: string; access_rules?: { id: string }[] }[];
    /** Ids of rules whose deletion the service refuses. */
    inUse?: string[];
    refuses?: boolean;
  }

  /** The ids of the rules that are removed. */
  async function remove({ rules, credentials = [], inUse = [], refuses = false }: Owner): Promise<string[]> {
    const removed: string[] = [];
    const identity = {
      accessRules: {
        list: async () => {
          if (refuses) throw refusal();
          return rules.map((rule) => ({ ...OURS, ...rule }));
        },
        remove: async (_userId: string, id: string) => {
          if (inUse.includes(id)) throw refusal();
          removed.push(id);
        },
      },
      applicationCredentials: { list: async () => credentials },
    };
    const logger = { info: () => {} } as unknown as Logger;
    await removeUnusedAccessRules(
      { logger, undelegatedOwner: () => ({ identity }) as unknown as BoundClient },
      'user',
    );
    return removed;
  }

  function refusal(): UpstreamError {
    return new UpstreamError(403, 'forbidden', 'The identity service refuses the request.', {
      service: 'identity',
      operation: 'accessRules.remove',
      upstreamMessage: null,
      upstreamStatus: 403,
      upstreamRequestId: null,
    });
  }

  it('leaves those of other credentials, and those of users', async () => {
    const rules = [{ id: 'a' }, { id: 'b' }, { id: 'mine', path: '/v2.0/ports' }];

    assert.deepEqual(await remove({ rules }), ['a', 'b']);
    const credentials = [{ name: 'lite-other-1', access_rules: [{ id: 'a' }] }, { name: 'no rules' }];
    assert.deepEqual(await remove({ rules, credentials }), ['b']);
  });

  it('continues after a rule that has come into use meanwhile', async () => {
    assert.deepEqual(await remove({ rules: [{ id: 'a' }, { id: 'b' }], inUse: ['a'] }), ['b']);
  });

  it('waits for another deletion while a cluster is being created', async () => {
    const credentials = [{ name: 'lite-other-1-creation' }];

    assert.deepEqual(await remove({ rules: [{ id: 'a' }], credentials }), []);
  });

  it('accepts that only the user of the rules may remove them', async () => {
    assert.deepEqual(await remove({ rules: [{ id: 'a' }], refuses: true }), []);
  });
});
