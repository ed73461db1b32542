import assert from 'node:assert/strict';
import { encodeUserData, firstBootData } from '@gateway/cloud-init';
import { LATEST_SHARE } from './client.ts';
import { builderFiles, mountUnit, userData } from './guest-data.ts';
import { A_WHILE_MS, guestSuite, SERVERS } from './guest-suite.ts';

const SHARES = '/share/v2';

describe('a simulated server with a share', () => {
  const guest = guestSuite();
  let shareId: string;
  let exportPath: string;
  let port: { id: string; address: string };

  async function prepare(share_proto: 'NFS' | 'CEPHFS'): Promise<void> {
    const share_type = share_proto === 'NFS' ? 'default' : 'cephfs';
    const made = await guest.gateway.call(
      'POST',
      `${SHARES}/shares`,
      { share: { share_proto, share_type, size: 1 } },
      LATEST_SHARE,
    );
    shareId = made.body.share.id;
    guest.cloud.clock.advance(1_000);
    const path = `${SHARES}/shares/${shareId}/export_locations`;
    exportPath = (await guest.gateway.call('GET', path, undefined, LATEST_SHARE)).body.export_locations[0]
      .path;
    const answer = await guest.gateway.call('POST', '/network/v2.0/ports', {
      port: { network_id: guest.networkId },
    });
    port = { id: answer.body.port.id, address: answer.body.port.fixed_ips[0].ip_address };
  }

  /** The key of a cephx rule. */
  async function letIn(access_type: string, access_to: string, access_level: string): Promise<string> {
    const rule = { allow_access: { access_type, access_to, access_level } };
    const action = `${SHARES}/shares/${shareId}/action`;
    const { body } = await guest.gateway.call('POST', action, rule, LATEST_SHARE);
    guest.cloud.clock.advance(1_000);
    const path = `${SHARES}/share-access-rules/${body.access.id}`;
    return (await guest.gateway.call('GET', path, undefined, LATEST_SHARE)).body.access.access_key ?? '';
  }

  /** The result of a build that mounts its share with these options. */
  async function endOf(type: 'nfs' | 'ceph', options: string[], key = ''): Promise<unknown> {
    const files = [
      mountUnit(exportPath, type, ['rw', ...options]),
      { path: '/etc/key', content: `${key}\n` },
    ];
    const id = await guest.boot(userData(builderFiles(guest.receiver.url, files)), [{ port: port.id }]);
    await guest.untilStatus(id, 'SHUTOFF', A_WHILE_MS);
    const { success, stage } = guest.receiver.reports.at(-1)?.body ?? {};
    return success === true ? 'built' : stage;
  }

  it('builds if an access rule allows its address to write', async () => {
    await prepare('NFS');
    await letIn('ip', port.address, 'rw');

    assert.equal(await endOf('nfs', []), 'built');
  });

  it('fails if an access rule only allows its address to read', async () => {
    await prepare('NFS');
    await letIn('ip', port.address, 'ro');

    assert.equal(await endOf('nfs', []), 'share');
  });

  it('fails if an access rule allows only another address', async () => {
    await prepare('NFS');
    await letIn('ip', '10.20.0.250', 'rw');

    assert.equal(await endOf('nfs', []), 'share');
  });

  it('builds with the name and the key of an access rule', async () => {
    await prepare('CEPHFS');
    const key = await letIn('cephx', 'builder', 'rw');

    assert.equal(await endOf('ceph', ['name=builder', 'secretfile=/etc/key'], key), 'built');
  });

  it('fails with a wrong key', async () => {
    await prepare('CEPHFS');
    await letIn('cephx', 'builder', 'rw');

    assert.equal(await endOf('ceph', ['name=builder', 'secretfile=/etc/key'], 'wrong'), 'share');
  });

  it('reports /workspace on its console once shares and disk are attached', async () => {
    await prepare('NFS');
    const disk = await guest.gateway.call('POST', `/volume/v3/${guest.gateway.projectId}/volumes`, {
      volume: { size: 1 },
    });
    const volumeId: string = disk.body.volume.id;
    const share = { protocol: 'NFS' as const, exportLocation: exportPath, accessTo: null, accessKey: null };
    const data = firstBootData({
      hostname: 'layered',
      passwordHash: null,
      gpu: null,
      userData: null,
      overlay: {
        upperVolumeId: volumeId,
        upperDevice: '/dev/vdb',
        strategy: 'prebuilt',
        report: null,
        constraints: [],
        layers: [{ libraryIds: ['numerics'], packages: [], interpreters: [], share, readOnly: true }],
      },
    });
    const id = await guest.boot(encodeUserData(data, 'instance'), [{ port: port.id }]);
    await guest.untilStatus(id, 'ACTIVE');
    const isReady = async () => (await guest.consoleOf(id)).includes('ready, /workspace is mounted');
    await letIn('ip', port.address, 'ro');
    guest.cloud.clock.advance(A_WHILE_MS);
    assert.equal(await isReady(), false, 'without the disk');

    await guest.gateway.call('POST', `${SERVERS}/${id}/os-volume_attachments`, {
      volumeAttachment: { volumeId },
    });

    assert.ok(await guest.passing(() => isReady()));
  });
});
