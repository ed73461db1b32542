import assert from 'node:assert/strict';
import { isRedisUnavailable } from '@gateway/store';

/** An error with the code of a socket or DNS error. */
function withCode(code: string): Error {
  return Object.assign(new Error(`connect ${code} 10.0.0.1:6379`), { code });
}

function named(name: string, message = 'something'): Error {
  return Object.assign(new Error(message), { name });
}

describe('isRedisUnavailable', () => {
  it('recognizes a server that is unreachable or does not answer', () => {
    for (const thrown of [
      new Error('Connection is closed.'),
      new Error("Stream isn't writeable and enableOfflineQueue options is false"),
      new Error("Socket timeout. Expecting data, but didn't receive any in 3000ms."),
      new Error('Command timed out'),
      named('MaxRetriesPerRequestError'),
      named('AbortError', 'Command aborted due to connection close'),
      withCode('ECONNREFUSED'),
      withCode('EHOSTUNREACH'),
      withCode('ENOTFOUND'),
    ]) {
      assert.equal(isRedisUnavailable(thrown), true, thrown.message);
    }
  });

  it('recognizes a server that refuses writes, or all commands', () => {
    for (const message of [
      'LOADING Redis is loading the dataset in memory',
      "READONLY You can't write against a read only replica.",
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      'NOREPLICAS Not enough good replicas to write.',
      'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
      "OOM command not allowed when used memory > 'maxmemory'.",
      'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
      'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
    ]) {
      assert.equal(isRedisUnavailable(new Error(message)), true, message);
    }
  });

  it('recognizes unreachable Sentinels', () => {
    const message = 'All sentinels are unreachable. Retrying from scratch after 100ms.';
    assert.equal(isRedisUnavailable(new Error(message)), true);
  });

  it('recognizes a Cluster with missing or unknown slots', () => {
    for (const thrown of [
      new Error('CLUSTERDOWN The cluster is down'),
      new Error('CLUSTERDOWN Hash slot not served'),
      new Error('TRYAGAIN Multiple keys request during rehashing of slot'),
      new Error('MOVED 3999 127.0.0.1:6381'),
      new Error('Too many Cluster redirections. Last error: Error: Connection is closed.'),
      new Error("Cluster isn't ready and enableOfflineQueue options is false"),
      new Error('None of startup nodes is available'),
      named('ClusterAllFailedError', 'Failed to refresh slots cache.'),
      named('AbortError', 'Cluster is ended.'),
    ]) {
      assert.equal(isRedisUnavailable(thrown), true, thrown.message);
    }
  });

  it('recognizes a transaction that was aborted for one of these reasons', () => {
    const aborted = (reason: string) =>
      Object.assign(new Error('EXECABORT Transaction discarded because of previous errors.'), {
        previousErrors: [new Error(reason)],
      });

    assert.equal(isRedisUnavailable(aborted('NOREPLICAS Not enough good replicas to write.')), true);
    assert.equal(isRedisUnavailable(aborted("ERR wrong number of arguments for 'set' command")), false);
  });

  it('is false for other errors', () => {
    for (const thrown of [
      new Error('WRONGTYPE Operation against a key holding the wrong kind of value'),
      new Error('ERR value is not an integer or out of range'),
      new Error("CROSSSLOT Keys in request don't hash to the same slot"),
      new Error('BUSYGROUP Consumer Group name already exists'),
      new Error('NOAUTH Authentication required.'),
      AbortSignal.abort().reason,
      new TypeError('x is undefined'),
      'Connection is closed',
      undefined,
    ]) {
      assert.equal(isRedisUnavailable(thrown), false, String(thrown));
    }
  });
});
