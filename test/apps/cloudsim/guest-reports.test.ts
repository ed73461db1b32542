import assert from 'node:assert/strict';
import { builderFiles, userData } from './guest-data.ts';
import { A_WHILE_MS, guestSuite, RETRY_MS, SERVERS } from './guest-suite.ts';

describe('the reports of simulated servers', () => {
  const guest = guestSuite();

  it('repeats the final report until it is accepted, then shuts down', async () => {
    guest.receiver.statuses.push(200, 503, 429, 502);
    const id = await guest.bootBuilder();
    await guest.untilReports(2);
    guest.cloud.clock.advance(A_WHILE_MS);
    assert.equal(await guest.status(id), 'ACTIVE');

    await guest.untilReports(5, RETRY_MS);
    await guest.untilStatus(id, 'SHUTOFF');

    const finals = guest.receiver.reports.slice(1).map(({ body }) => body);
    assert.equal(finals.length, 4);
    for (const body of finals) assert.deepEqual(body, finals[0]);
  });

  it('sends progress reports once, whatever the response', async () => {
    guest.receiver.statuses.push(503);
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF');

    assert.equal(guest.receiver.reports.length, 2);
  });

  it('stops reporting after a 403', async () => {
    guest.receiver.statuses.push(200, 403);
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF');
    guest.cloud.clock.advance(RETRY_MS);

    assert.equal(guest.receiver.reports.length, 2);
  });

  it('stops repeating a report that nobody accepts after the time limit', async () => {
    guest.receiver.statuses.push(...Array.from({ length: 100 }, () => 503));
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF', RETRY_MS);

    assert.ok(guest.receiver.reports.length <= 10, 'not more than 120 s hold');
  });

  it('sends no report once its server is deleted', async () => {
    await guest.set({ workMs: 30_000 });
    const deleted = await guest.bootBuilder();
    await guest.untilReports(1);
    await guest.gateway.call('DELETE', `${SERVERS}/${deleted}`);
    guest.cloud.clock.advance(60_000);
    await guest.set({ workMs: 0 });
    const other = await guest.bootBuilder();

    await guest.untilStatus(other, 'SHUTOFF');

    assert.equal(await guest.status(deleted), 'gone');
    assert.equal(guest.receiver.reports.length, 3);
  });

  it('sends no report to another host', async () => {
    const id = await guest.boot(userData(builderFiles('http://192.0.2.1:9/report')));

    await guest.untilStatus(id, 'SHUTOFF', RETRY_MS);
    await guest.act(id, { 'os-start': null });
    await guest.untilStatus(id, 'ACTIVE');

    assert.match(await guest.consoleOf(id), /no call to 192\.0\.2\.1:9/);
  });
});
