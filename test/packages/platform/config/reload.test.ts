import assert from 'node:assert/strict';
import { type Config, loadConfig, runningLimits, takeReloaded } from '@gateway/platform';
import { minimalEnvironment, withFile } from './environment.ts';

const load = (text: string): Config => withFile(text, loadConfig);

describe('takeReloaded', () => {
  it('takes what reloads, also for who holds a section', () => {
    const current = load('{}');
    const { jobs, rateLimits } = current;
    const limits = runningLimits(jobs);

    const changes = takeReloaded(
      current,
      load('{ rate_limits: { login: 7 }, jobs: { project_running_limit: 4 }, log: { level: debug } }'),
    );

    assert.deepEqual(changes, {
      reloaded: ['rate_limits.login', 'jobs.project_running_limit', 'log.level'],
      needRestart: [],
    });
    assert.deepEqual([rateLimits.login, limits.cleanup, current.log.level], [7, 4, 'debug']);
  });

  it('takes a list as a whole, and defaults without a key', () => {
    const current = load(
      '{ rate_limits: { login: 7, shared_networks: [{ network: 10.0.0.0/8, factor: 2 }] } }',
    );

    const { reloaded } = takeReloaded(current, load('{}'));

    assert.deepEqual(reloaded, ['rate_limits.login', 'rate_limits.shared_networks']);
    assert.deepEqual(current.rateLimits, load('{}').rateLimits);
  });

  it('names what needs a restart, each time, and leaves it', () => {
    const current = load('{}');
    const next = load(
      '{ site: { name: Another }, jobs: { concurrency: { cleanup: 2 } }, service_user: null }',
    );

    for (const _ of [1, 2])
      assert.deepEqual(takeReloaded(current, next).needRestart, ['site.name', 'jobs.concurrency.cleanup']);
    assert.deepEqual(current, load('{}'));
  });

  it('leaves a password whose user needs a restart', () => {
    const withUser = (name: string) =>
      withFile(`service_user: { username: ${name}, project_name: service }`, (environment) =>
        loadConfig({ ...environment, GATEWAY_SERVICE_PASSWORD: `of ${name}` }),
      );
    const current = withUser('one');

    const changes = takeReloaded(current, withUser('two'));

    assert.deepEqual(changes, {
      reloaded: [],
      needRestart: ['service_user.username', 'GATEWAY_SERVICE_PASSWORD'],
    });
    assert.equal(current.secrets.servicePassword, 'of one');
  });

  it('takes sealing keys and the password, and no others', () => {
    const withSecrets = (text: string) =>
      loadConfig(
        minimalEnvironment({
          GATEWAY_SEALING_KEYS: `${text}:${Buffer.alloc(32, 1).toString('base64')}`,
          GATEWAY_SERVICE_PASSWORD: text,
          OTEL_EXPORTER_OTLP_HEADERS: `a=${text}`,
        }),
      );
    const current = withSecrets('one');

    const changes = takeReloaded(current, withSecrets('two'));

    assert.deepEqual(changes, {
      reloaded: ['GATEWAY_SEALING_KEYS', 'GATEWAY_SERVICE_PASSWORD'],
      needRestart: ['OTEL_EXPORTER_OTLP_HEADERS'],
    });
    assert.equal(current.secrets.sealingKeys[0]?.id, 'two');
    assert.deepEqual([current.secrets.servicePassword, current.secrets.traceHeaders], ['two', 'a=one']);
  });
});
