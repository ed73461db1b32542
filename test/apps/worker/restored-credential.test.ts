import assert from 'node:assert/strict';
import { createNextCredential } from '../../../apps/worker/src/sagas/replace-lite-credential/steps/credential.ts';

type Context = Parameters<NonNullable<typeof createNextCredential.undo>>[0];

const OLD = { id: 'c-1', secret: 'old-secret' };
const NEXT = { id: 'c-2', secret: 'next-secret' };

function confOf({ id, secret }: typeof OLD): string {
  return `id=${id}\nsecret=${secret}`;
}

/** The rollback of the step in a cluster whose secrets have a credential. */
function rollback(credential: typeof OLD, { isWritten }: { isWritten?: boolean } = {}) {
  const done: string[] = [];
  let conf = confOf(credential);
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
    state: {
      replaced: { id: OLD.id, userId: 'u1' },
      ...(isWritten && { credentialId: NEXT.id, isRestarted: true, isWritten }),
    },
    undelegatedOwner: () => removals,
  };
  const undo = () => createNextCredential.undo?.(context as unknown as Context, { credentialId: NEXT.id });
  return { api, undo, done: () => [...new Set(done)], conf: () => conf };
}

describe('the rollback of a new credential that its journal does not have', () => {
  it('first gives the cluster the old one again', async () => {
    const { conf, done, undo } = rollback(NEXT);
    await undo();

    assert.equal(conf(), confOf(OLD));
    assert.deepEqual(done(), ['secret changed', 'programs restarted', 'removed']);
  });

  it('leaves a cluster alone that does not have it', async () => {
    const { done, undo } = rollback(OLD);
    await undo();

    assert.deepEqual(done(), ['removed']);
  });
});

describe('the rollback of a new credential that the cluster has got', () => {
  it('leaves the credential of a later replacement, which has its secret', async () => {
    const later = { id: 'c-3', secret: NEXT.secret };
    const { conf, done, undo } = rollback(later, { isWritten: true });
    await undo();

    assert.equal(conf(), confOf(later));
    assert.deepEqual(done(), ['removed']);
  });

  it('restarts the programs also if its first attempt failed in between', async () => {
    const { api, conf, done, undo } = rollback(NEXT, { isWritten: true });
    const { annotatePods } = api;
    api.annotatePods = async () => {
      api.annotatePods = annotatePods;
      throw new Error('no answer');
    };
    await assert.rejects(async () => undo(), /no answer/);
    await undo();

    assert.equal(conf(), confOf(OLD));
    assert.deepEqual(done(), ['secret changed', 'programs restarted', 'removed']);
  });
});
