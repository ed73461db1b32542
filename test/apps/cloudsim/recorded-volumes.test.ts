import assert from 'node:assert/strict';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { type Client, startTestCloud, type TestCloud } from './client.ts';

const VERSION = { 'OpenStack-API-Version': 'volume 3.59' };

describe('the simulated block storage service, compared with recordings of a real one,', () => {
  let cloud: TestCloud;
  let demo: Client;
  let volumeId: string;

  beforeEach(async () => {
    cloud = await startTestCloud();
    demo = await cloud.as('demo');
    volumeId = (await call('POST', '/volumes', { volume: { size: 1 } })).volume.id;
    cloud.clock.advance(1000);
  });
  afterEach(() => cloud.close());

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    return (await demo.call(method, `/volume/v3/${demo.projectId}${path}`, body, VERSION)).body;
  }

  /** Compares the fields of two responses, or the message of two refusals. */
  function isLike(body: Record<string, object>, name: string): void {
    const recorded = fixtureBody<Record<string, object>>(`block-storage/${name}`);
    assert.deepEqual(shapeOf(body), shapeOf(recorded));
  }

  it('has the same snapshots', async () => {
    const made = await call('POST', '/snapshots', { snapshot: { volume_id: volumeId, name: 's' } });
    isLike(made, 'snapshot-create');
    const path = `/snapshots/${made.snapshot.id}`;
    isLike(await call('DELETE', path), 'snapshot-busy');
    cloud.clock.advance(1000);
    isLike(await call('GET', path), 'snapshot');
    isLike(await call('GET', '/snapshots/detail'), 'snapshots');
  });

  it('has the same transfers', async () => {
    const offer = () => call('POST', '/volume-transfers', { transfer: { volume_id: volumeId } });
    const made = await offer();
    const path = `/volume-transfers/${made.transfer.id}`;
    isLike(made, 'transfer-create');
    isLike(await offer(), 'transfer-busy');
    isLike(await call('GET', path), 'transfer');
    isLike(await call('GET', '/volume-transfers/detail'), 'transfers');
    isLike(await call('POST', `${path}/accept`, { accept: { auth_key: 'guess' } }), 'transfer-wrong-key');
    const { auth_key } = made.transfer;
    isLike(await call('POST', `${path}/accept`, { accept: { auth_key } }), 'transfer-accept');
    isLike(await call('GET', path), 'transfer-not-found');
  });

  it('has the same backups', async () => {
    const made = await call('POST', '/backups', {
      backup: { volume_id: volumeId, name: 'b', metadata: { purpose: 'fixtures' } },
    });
    const path = `/backups/${made.backup.id}`;
    isLike(made, 'backup-create');
    isLike(await call('DELETE', path), 'backup-busy');
    isLike(await call('POST', '/backups', { backup: { volume_id: volumeId } }), 'backup-of-busy-volume');
    cloud.clock.advance(1000);
    isLike(await call('GET', path), 'backup');
    isLike(await call('GET', '/backups/detail'), 'backups');
    isLike(await call('POST', `${path}/restore`, { restore: { volume_id: volumeId } }), 'backup-restore');
  });
});

/** The names of the fields at all levels; messages without ids. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, key === 'message' ? withoutIds(String(inner)) : shapeOf(inner)] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

function withoutIds(message: string): string {
  return message.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
}
