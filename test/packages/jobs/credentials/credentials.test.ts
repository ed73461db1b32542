import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealer } from '@gateway/core';
import { CredentialStore, jobKeys, type StoredCredential } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { TestStore } from '../../../support/redis/test-redis.ts';
import { everythingIn } from '../redis-contents.ts';

const token = 'gAAAAABsecretsecretsecret';

describe('CredentialStore', () => {
  const store = new TestStore();
  const sealer = new Sealer([{ id: 'k1', key: randomBytes(32) }]);
  let redis: Redis;
  let bare: Redis;

  before(async () => {
    const connections = await store.connect();
    redis = connections.store;
    bare = connections.queue;
  });

  after(() => store.close());

  function inOneHour() {
    return { token, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  }

  it('returns a credential for its handle, and stores no token in clear', async () => {
    const credentials = new CredentialStore<ReturnType<typeof inOneHour>>(redis, sealer);
    const credential = inOneHour();
    const handle = await credentials.put(credential);
    assert.deepEqual(await credentials.get(handle), credential);
    const contents = await everythingIn(bare, store.prefix);
    assert.match(contents, /v1\.k1\./);
    assert.equal(contents.includes(token), false);
    assert.equal(handle.includes(token), false);
  });

  it('deletes it when the token expires', async () => {
    const credentials = new CredentialStore<ReturnType<typeof inOneHour>>(redis, sealer);
    const credential = inOneHour();
    const handle = await credentials.put(credential);
    assert.equal(await redis.pexpiretime(jobKeys.credential(handle)), Date.parse(credential.expiresAt));
    const past = await credentials.put({ token, expiresAt: new Date(Date.now() - 1).toISOString() });
    assert.equal(await credentials.get(past), null);
  });

  it('keeps it until its delegation expires, if that is later', async () => {
    const credentials = new CredentialStore<StoredCredential>(redis, sealer);
    const delegation = { trustId: 't1', expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
    const credential = { ...inOneHour(), delegation };
    const handle = await credentials.put(credential);
    assert.equal(await redis.pexpiretime(jobKeys.credential(handle)), Date.parse(delegation.expiresAt));
    assert.deepEqual(await credentials.get(handle), credential);
  });

  it('does not count one as expired whose sealing key is missing', async () => {
    const credentials = new CredentialStore<StoredCredential>(redis, sealer);
    const handle = await credentials.put(inOneHour());
    const other = new CredentialStore<StoredCredential>(
      redis,
      new Sealer([{ id: 'k2', key: randomBytes(32) }]),
    );

    await assert.rejects(other.get(handle), { name: 'UnknownSealingKeyError', keyId: 'k1' });
  });

  it('deletes it on request', async () => {
    const credentials = new CredentialStore<ReturnType<typeof inOneHour>>(redis, sealer);
    const handle = await credentials.put(inOneHour());
    await credentials.remove(handle);
    assert.equal(await credentials.get(handle), null);
  });
});
