import assert from 'node:assert/strict';
import { JOB_METADATA_KEY, jobDescription } from '@gateway/core';
import { removeVerifier } from '../../../apps/worker/src/sagas/verify-library/steps/remove-verifier.ts';

type RemovalContext = Parameters<NonNullable<typeof removeVerifier.find>>[0];

const port = { id: 'p1', address: '10.0.0.5' };

describe('the removal of a verifier', () => {
  /** What a run with this journal finds while the services have these ports and servers. */
  function found(state: object, exists: { ports?: object[]; servers?: object[] }) {
    const client = {
      network: { ports: { list: async () => exists.ports ?? [] } },
      compute: { servers: { listByName: async () => exists.servers ?? [] } },
      blockStorage: { volumes: { listByName: async () => [] } },
      sharedFileSystem: { accessRules: { list: async () => [] } },
    };
    const context = {
      jobId: 'j1',
      projectId: 'admin',
      input: { libraryId: 'python311' },
      state: { plan: { layers: [{ shareId: 's1', libraryId: 'python311', protocol: 'NFS' }] }, ...state },
      service: async () => client,
      resourceOwner: {
        mark: async () => ({ jobId: 'j1', projectId: 'service' }),
        removal: async () => ({ remover: () => client }),
      },
    };
    return removeVerifier.find?.(context as unknown as RemovalContext);
  }

  it('shows to a journal that is behind by what is gone', async () => {
    assert.deepEqual(await found({ port }, {}), [{ leftovers: [] }]);
  });

  it('has not ended while anything of the verifier exists', async () => {
    const marked = { id: 'p1', project_id: 'service', status: 'DOWN', fixed_ips: [] };
    const ports = [{ ...marked, description: jobDescription('j1') }];
    const metadata = { [JOB_METADATA_KEY]: 'j1' };
    const servers = [{ id: 'v1', tenant_id: 'service', status: 'ACTIVE', metadata }];
    assert.deepEqual(await found({ port }, { ports }), []);
    assert.deepEqual(await found({ port }, { servers }), []);
  });

  it('does not show to a journal without a verifier', async () => {
    assert.deepEqual(await found({}, {}), []);
  });
});
