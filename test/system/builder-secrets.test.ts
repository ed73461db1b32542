import assert from 'node:assert/strict';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';
import { WatchedStack } from '../support/stacks/watched-stack.ts';
import { buildOf, endedBuild, startBuild } from '../support/subjects/builds.ts';

describe('the secrets of a builder', function () {
  this.timeout(120_000);
  let watched: WatchedStack;

  before(async () => {
    watched = await WatchedStack.start(simulatedCloud);
  });

  after(() => watched?.stop());

  it('appear nowhere in clear, nor in its job', async () => {
    const { stack } = watched;
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    await control.set({ guest: { outcome: 'silent' } });
    const admin = await GatewayClient.logIn(stack.url, testLogin('admin'));
    const { body } = await startBuild(admin, 'python311');
    const serverId = await eventually(async () => (await buildOf(admin, body.job_id)).server_id ?? undefined);
    const userData = (await control.userData(serverId)).toString('base64');
    const { files } = readFirstBootData(userData);
    const secret = (name: string) => (files.get(`/etc/gateway/first-boot/${name}`) ?? '').trim();
    const secrets = {
      'the token of the builder': secret('report-token'),
      'the key of the share': secret('share.secret'),
      'the first-boot data of the builder': userData.slice(0, 100),
    };
    for (const [name, value] of Object.entries(secrets)) assert.ok(value.length > 16, name);
    const refused = await admin.request('POST', '/api/file-storage/builds/callback', {
      token: secrets['the token of the builder'],
      stage: 'Not A Stage',
    });
    assert.equal(refused.status, 400, refused.text);

    await admin.request('POST', `/api/jobs/${body.job_id}/cancel`);
    await endedBuild(admin, body.job_id);

    const events = await messagesOf(await admin.followJob(body.job_id));
    await watched.assertSecretsAbsent(secrets, [refused.text, JSON.stringify(events)]);
  });
});
