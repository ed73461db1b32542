import assert from 'node:assert/strict';
import { createNextCredential } from '../../../apps/worker/src/sagas/replace-lite-credential/steps/credential.ts';

type Context = Parameters<NonNullable<typeof createNextCredential.undo>>[0];

const OLD = { id: 'old', secret: 'old-secret' };
const NEXT = { id: 'next', secret: 'next-secret' };

describe('the rollback of a new credential that its journal does not have', () => {
  let done: string[];
  beforeEach(() => {
    done = [];
  });

  /** Undoes the step of a cluster whose secrets contain this credential. */
  async function undo({ id, secret }: typeof OLD): Promise<string> {
    let conf = `id=${id}\nsecret=${secret}`;
    const api = {
      readSecret: async () => ({ 'cloud.conf': conf }),
      changeSecret: async (_namespace: string, _name: string, change: (values: object) => object) => {
        done.push('secret changed');
        ({ 'cloud.conf': conf = '' } = change({ 'cloud.conf': conf }) as Record<string, string>);
        return true;
      },
      annotatePods: async () => done.push('programs restarted'),
      close: () => {},
    };
    const secrets: Record<string, string> = {
      credentialSecret: OLD.secret,
      nextCredentialSecret: NEXT.secret,
    };
    const removals = { identity: { applicationCredentials: { remove: async () => done.push('removed') } } };
    const context = {
      clusterId: 'c1',
      input: { userId: 'u1' },
      kubernetes: async () => api,
      liteClusters: {
        read: async () => ({ credential: OLD, plugins: ['cloud_controller'], status: 'ACTIVE' }),
        readSecret: async (_cluster: object, name: string) => secrets[name],
      },
      state: { replaced: { id: OLD.id, userId: 'u1' } },
      undelegatedOwner: () => removals,
    };
    await createNextCredential.undo?.(context as unknown as Context, { credentialId: NEXT.id });
    return conf;
  }

  it('first gives the cluster the old one again', async () => {
    assert.equal(await undo(NEXT), `id=${OLD.id}\nsecret=${OLD.secret}`);

    assert.deepEqual([...new Set(done)], ['secret changed', 'programs restarted', 'removed']);
  });

  it('leaves a cluster alone that does not have it', async () => {
    await undo(OLD);

    assert.deepEqual(done, ['removed']);
  });
});
