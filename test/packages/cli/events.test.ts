import assert from 'node:assert/strict';
import { cliSuite } from './cli-suite.ts';
import { refusal } from './fake-gateway.ts';

const VOLUME = { type: 'volume', id: 'v1', change: 'updated', state: 'in-use', job_id: null };
const KEYPAIR = { type: 'keypair', id: 'k\u001b[2J', change: 'deleted', state: null, job_id: null };

describe('the events that the command line prints', () => {
  const { gateway, terminal, env } = cliSuite();
  const ended = refusal(401, 'session_expired', 'The session has ended.');

  /** Answers with the events, and refuses to continue. */
  function answerOnce(events: readonly object[]): void {
    gateway.answers({ 'GET /api/events': () => (gateway.seen.length === 1 ? { events } : ended) });
  }

  it('are lines, over connections to the end of the session', async () => {
    answerOnce([VOLUME, KEYPAIR]);

    const command = ['events', '--type', 'volume', '--type', 'keypair'];
    const { code, stderr, stdout } = await terminal.run(command, { env });

    assert.equal(stdout, 'updated volume v1 in-use\ndeleted keypair k\ufffd[2J\n');
    assert.equal(code, 3);
    // A program that reads the lines does not see otherwise that none come at the moment.
    assert.match(stderr, /^The connection is lost; the next attempt is in \d+ s\n/);
    assert.equal(gateway.seen[0]?.line, 'GET /api/events?types=keypair%2Cvolume');
    assert.equal(gateway.seen[1]?.headers['last-event-id'], '2');
  });

  it('are lines of JSON on request', async () => {
    answerOnce([VOLUME]);

    const { stdout } = await terminal.run(['events', '-o', 'json', '--after', '0-1'], { env });

    assert.deepEqual(JSON.parse(stdout), { ...VOLUME, eventId: '1' });
    assert.equal(gateway.seen[0]?.headers['last-event-id'], '0-1');
  });

  it('end with Ctrl-C', async () => {
    answerOnce([VOLUME]);
    const events = terminal.run(['events'], {
      env,
      types: [],
      onNote: (text, interrupt) => /connection is lost/.test(text) && interrupt(),
    });

    const { code, stdout } = await events;

    assert.deepEqual([code, stdout], [130, 'updated volume v1 in-use\n']);
  });
});
