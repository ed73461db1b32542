import assert from 'node:assert/strict';
import { guestSuite } from './guest-suite.ts';
import type { Report } from './report-receiver.ts';

describe('software inside simulated servers', () => {
  const guest = guestSuite();

  for (const form of ['bare', 'multipart', 'zipped'] as const) {
    it(`runs the build of ${form} user data, reports, and shuts down`, async () => {
      const id = await guest.bootBuilder(form);

      await guest.untilStatus(id, 'SHUTOFF');

      assert.deepEqual(
        guest.receiver.reports.map(({ body }) => body.stage),
        ['packages', 'done'],
      );
      const [interim, final] = guest.receiver.reports;
      assert.deepEqual(Object.keys(interim?.body ?? {}), ['token', 'stage', 'log_tail']);
      assert.equal(final?.body.token, 'one-time');
      assert.equal(final?.body.success, true);
      const { built_at, files, checksum, ...library } = (final?.body.manifest ?? {}) as Record<
        string,
        unknown
      >;
      assert.deepEqual(library, {
        library: 'numerics',
        version: '1.26',
        packages: ['numpy==1.26.0', 'six==1.0'],
      });
      assert.match(String(built_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.match(String(checksum), /^[0-9a-f]{64}$/);
      assert.ok(Number(files) > 0);
      assert.match(String(final?.body.log_tail), /Successfully installed numpy==1\.26/);
      assert.equal(final?.path, '/report');
      assert.equal(final?.headers['content-type'], 'application/json');
      assert.equal(final?.headers['x-auth-token'], undefined);
    });
  }

  it('boots for as long as configured', async () => {
    await guest.set({ bootMs: 600_000 });
    await guest.bootBuilder();
    guest.cloud.clock.advance(60_000);
    await guest.set({ bootMs: 10 });
    const quick = await guest.bootBuilder();

    await guest.untilStatus(quick, 'SHUTOFF');

    assert.equal(guest.receiver.reports.length, 2, 'only the quick one has reported');
  });

  it('is not configured with invalid settings', async () => {
    assert.equal((await guest.set({ outcome: 'explodes' })).status, 400);
    assert.equal((await guest.set({ bootMs: -1 })).status, 400);
    assert.equal((await guest.cloud.call('GET', '/_control/settings')).body.guest.outcome, 'succeeds');
  });

  it('reports the reason for a failed build, if configured to fail', async () => {
    await guest.set({ outcome: 'fails' });
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF');

    const body: Report['body'] = guest.receiver.reports[1]?.body ?? {};
    assert.equal(body.success, false);
    assert.equal(body.stage, 'packages');
    assert.match(String(body.error), /numpy/);
    assert.equal(body.manifest, undefined);
  });

  it('shuts down without a final report, if configured to do so', async () => {
    await guest.set({ outcome: 'powers-off' });
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF');

    assert.deepEqual(
      guest.receiver.reports.map(({ body }) => body.success),
      [undefined],
    );
  });

  it('keeps running without a report, if configured to do so', async () => {
    await guest.set({ outcome: 'silent', bootMs: 0 });
    const silent = await guest.bootBuilder();
    await guest.untilStatus(silent, 'ACTIVE');
    await guest.set({ outcome: 'succeeds' });
    const other = await guest.bootBuilder();

    await guest.untilStatus(other, 'SHUTOFF');

    assert.equal(await guest.status(silent), 'ACTIVE');
    assert.equal(guest.receiver.reports.length, 2, "the other one's");
  });

  it('fails a build that exceeds its time limit', async () => {
    await guest.set({ workMs: 200_000 });
    const id = await guest.bootBuilder();

    await guest.untilStatus(id, 'SHUTOFF', 10_000);

    const final = guest.receiver.reports.at(-1)?.body;
    assert.equal(final?.success, false);
    assert.match(String(final?.error), /120 seconds/);
  });

  it('starts again after a reboot, and pauses while its server is stopped', async () => {
    await guest.set({ workMs: 30_000 });
    const id = await guest.bootBuilder();
    await guest.untilReports(1);
    await guest.act(id, { reboot: { type: 'HARD' } });
    await guest.untilReports(2);
    await guest.act(id, { 'os-stop': null });
    guest.cloud.clock.advance(60_000);
    assert.equal(await guest.status(id), 'SHUTOFF');
    await guest.act(id, { 'os-start': null });
    await guest.untilReports(3);

    assert.deepEqual(
      guest.receiver.reports.map(({ body }) => body.stage),
      ['packages', 'packages', 'packages'],
    );
    guest.cloud.clock.advance(30_000);
    await guest.untilStatus(id, 'SHUTOFF');
    assert.equal(guest.receiver.reports.at(-1)?.body.success, true);
  });

  it('does not build again when its server starts after a finished build', async () => {
    const id = await guest.bootBuilder();
    await guest.untilStatus(id, 'SHUTOFF');

    await guest.act(id, { 'os-start': null });
    await guest.untilStatus(id, 'ACTIVE');
    guest.cloud.clock.advance(60_000);
    const other = await guest.bootBuilder();
    await guest.untilStatus(other, 'SHUTOFF');

    assert.equal(await guest.status(id), 'ACTIVE');
    assert.equal(guest.receiver.reports.length, 4);
  });

  it('boots although it cannot parse its user data', async () => {
    const id = await guest.boot(Buffer.from('#cloud-config\nwrite_files: [\n').toString('base64'));

    await guest.untilStatus(id, 'ACTIVE');

    assert.match(await guest.consoleOf(id), /builder login/);
  });
});
