import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { otherNumber } from '../../../packages/cli/src/catalog/nouns.ts';
import { isSecret } from '../../../packages/cli/src/operations/field-options.ts';
import { COLUMNS, defaultColumns } from '../../../packages/cli/src/output/columns.ts';
import { currentCatalog } from '../../../scripts/cli/catalog.ts';

/** Log-in and session, which have commands of their own; streams; what programs call that are no clients. */
const WITHOUT_COMMAND =
  /^(?:\S+ \/api\/auth\/(?:login|expired-password|logout|me|token|session-info|extend-session|sso\/.*|exchange)|DELETE \/api\/auth\/sessions|POST \/api\/(?:instances|volumes|volumes\/backups|volumes\/backups\/\{backup_id\}\/restore|file-storage|clusters)|PATCH \/api\/lite\/clusters\/\{cluster_id\}\/scale|GET \/api\/(?:jobs\/\{job_id\}\/)?events|\S+ .*(?:\/callback\b.*|\/ticket)|GET \/api\/metrics)$/;

const { operations } = await currentCatalog();

describe('the commands of the OpenAPI document', () => {
  const byEndpoint = new Map(
    operations.map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );

  it('cover every endpoint', () => {
    const names = endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);

    const missing = names.filter((name) => !byEndpoint.has(name) && !WITHOUT_COMMAND.test(name));

    assert.deepEqual(missing, []);
  });

  it('have a name each', () => {
    const names = operations.map(({ verb, noun, action = '' }) => `${verb} ${noun} ${action}`);

    assert.equal(new Set(names).size, names.length);
  });

  it('are named after the path', () => {
    const named = (endpoint: string) => {
      const { verb, noun, action } = byEndpoint.get(endpoint) ?? {};
      return [verb, noun, action].filter(Boolean).join(' ');
    };

    assert.equal(named('GET /api/instances'), 'list instances');
    assert.equal(named('GET /api/libraries'), 'list libraries');
    assert.equal(named('POST /api/instances/async'), 'create instance');
    assert.equal(named('POST /api/instances/{instance_id}/reboot'), 'action instance reboot');
    assert.equal(named('DELETE /api/instances/{instance_id}/volumes/{volume_id}'), 'delete instance-volume');
    assert.equal(named('POST /api/networks/{network_id}/subnets'), 'create subnet');
    assert.equal(named('GET /api/admin/timeseries/{resource_type}'), 'list admin-timeseries');
    assert.equal(named('POST /api/volumes/backups/auto-backup/configs'), 'list auto-backups');
  });

  it('know where a name is looked up', () => {
    const fields = byEndpoint.get('POST /api/instances/async')?.body ?? [];
    const listOf = (name: string) => fields.find((field) => field.name === name)?.list;

    assert.equal(listOf('image_id'), '/api/images');
    assert.equal(listOf('flavor_id'), '/api/flavors');
    assert.deepEqual(byEndpoint.get('GET /api/instances/{instance_id}')?.parameters, [
      { name: 'instance_id', list: '/api/instances' },
    ]);
  });

  it('take files for scripts and public keys', () => {
    const fields = operations.flatMap(({ body = [] }) => body.filter(({ holdsText }) => holdsText));

    assert.deepEqual(fields.map(({ name }) => name).toSorted(), ['public_key', 'user_data']);
  });

  it('take no secret as an argument', () => {
    const fields = operations.flatMap(({ body = [], query }) => [...body, ...query]);
    const secrets = fields.filter((field) => /password|secret|pass$|auth_key/.test(field.name));

    assert.notEqual(secrets.length, 0);
    for (const field of secrets.filter(({ type }) => type === 'string'))
      assert.ok(isSecret(field), field.name);
  });

  it('list columns that the rows have, and no secrets', () => {
    const lists = operations.filter(({ verb }) => verb === 'list');
    for (const { noun, columns = [] } of lists) {
      const unknown = COLUMNS[noun]?.filter((column) => !columns.includes(column)) ?? [];
      assert.deepEqual(unknown, [], noun);
      const shown = defaultColumns(noun, columns);
      assert.notEqual(shown.length, 0, noun);
      for (const name of shown) assert.ok(!isSecret({ name }), `${noun}: ${name}`);
    }
    const nouns = lists.map(({ noun }) => noun);
    assert.deepEqual(
      Object.keys(COLUMNS).filter((noun) => !nouns.includes(noun)),
      [],
    );
  });

  it('know the other number of a noun', () => {
    const nouns = ['instances', 'instance', 'libraries', 'library', 'keypairs', 'admin-flavor-access'];

    assert.deepEqual(nouns.map(otherNumber), [
      'instance',
      'instances',
      'library',
      'libraries',
      'keypair',
      null,
    ]);
    assert.deepEqual(['admin-timeseries', 'network-dns'].map(otherNumber), [null, null]);
  });
});
