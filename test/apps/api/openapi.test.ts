import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '@gateway/core/shapes';
import { type EventType, eventTypes } from '@gateway/webhooks';
import { messageShapes } from '@gateway/webhooks/shapes';
import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { checkRoutes } from '../../../scripts/check-routes/check.ts';
import { readContract } from '../../../scripts/check-routes/contract.ts';
import { NOT_SERVED } from '../../../scripts/check-routes/exceptions.ts';
import { fromInventory } from '../../../scripts/check-routes/from-inventory.ts';
import type { Document as RoutesDocument } from '../../../scripts/check-routes/openapi.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { root } from '../../support/source/workspaces.ts';

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  $ref?: string;
  items?: Schema;
  'x-resource'?: string;
  discriminator?: { mapping: Record<string, string> };
} & Partial<SchemaOfObject>;

interface SchemaOfObject {
  properties: Record<string, Schema & { default?: unknown }>;
  required: string[];
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, unknown>[];
  'x-event-type'?: string;
  parameters?: { name: string; in: string; required: boolean; schema?: Schema; $ref?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<
    string,
    { content?: Record<string, { schema: Schema }>; headers?: Record<string, unknown> }
  >;
}

interface Action {
  method: string;
  path: string;
  id: string;
  fixed: Record<string, string>;
  required: string[];
  optional: string[];
}

interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  'x-actions': Record<string, Record<string, Action>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, { in: string; schema: { maxLength?: number }; example?: string }>;
    securitySchemes: Record<string, object>;
  };
}

describe('GET /api/openapi.json', () => {
  const suite = apiSuite();

  async function readDocument(): Promise<Document> {
    const api = await suite.start();
    return (await api.get<Document>('/api/openapi.json')).body;
  }

  it('is a valid OpenAPI 3.1 document', async () => {
    const document = await readDocument();

    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as Document & Record<string, unknown>,
    );

    assert.deepEqual(errors ?? [], []);
    assert.equal(valid, true);
    assert.match(document.openapi, /^3\.1\./);
  });

  it('requires a body only where the endpoint requires one', async () => {
    const { paths } = await readDocument();
    const isRequired = (path: string) => paths[path]?.post?.requestBody?.required;

    assert.equal(isRequired('/api/volumes'), true);
    assert.equal(isRequired('/api/volumes/{volume_id}/transfer'), false);
    assert.equal(isRequired('/api/volumes/backups/{backup_id}/restore'), false);
  });

  it('has the request of each value of each `allowed_actions`', async () => {
    const document = await readDocument();
    const actions = document['x-actions'];
    const fields = Object.values(document.components.schemas).flatMap(
      ({ properties }) => properties?.allowed_actions ?? [],
    );

    assert.ok(fields.length > 0);
    for (const { items, 'x-resource': resource = '' } of fields) {
      const values = document.components.schemas[items?.$ref?.split('/').at(-1) ?? ''];
      assert.deepEqual(Object.keys(actions[resource] ?? {}), values?.enum, resource);
    }
    const resources = fields.map(({ 'x-resource': resource }) => resource);
    assert.deepEqual(new Set(Object.keys(actions)), new Set(resources));
    for (const { id, method, optional, path, required } of Object.values(actions).flatMap(Object.values)) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      assert.ok(operation, `${method} ${path}`);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`);
      const asked = [id, ...required, ...optional];
      assert.deepEqual(new Set(asked.filter((field) => field.startsWith('path.'))), new Set(inPath));
    }
    assert.deepEqual(actions.instance?.hard_reboot, {
      method: 'POST',
      path: '/api/instances/{instance_id}/reboot',
      id: 'path.instance_id',
      fixed: { 'body.type': 'hard' },
      required: [],
      optional: [],
    });
    assert.deepEqual(actions.volume?.attach?.id, 'body.volume_id');
    assert.deepEqual(actions.volume?.create_snapshot?.required, ['body.name']);
  });

  it('names the type of events of each watchable list', async () => {
    const { paths } = await readDocument();
    const types = ['/api/volumes', '/api/jobs', '/api/loadbalancers/{lb_id}/pools', '/api/flavors'].map(
      (path) => paths[path]?.get?.['x-event-type'],
    );

    assert.deepEqual(types, ['volume', 'job', 'load_balancer', undefined]);
  });

  it('contains every endpoint, with a tag that is described, and nothing else', async () => {
    const { paths, tags } = await readDocument();

    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = endpoints.flatMap((endpoint) => [
      nameOf(endpoint),
      ...(endpoint.head === undefined ? [] : [nameOf({ ...endpoint, method: 'HEAD' })]),
    ]);
    assert.deepEqual(documented.sort(), served.sort());
    const described = new Set(tags.map(({ name }) => name));
    for (const operation of operationsOf(paths)) {
      for (const tag of operation.tags) assert.ok(described.has(tag), `${operation.operationId}: ${tag}`);
      assert.ok(operation.summary.length > 3);
    }
  });

  it('has unique operation ids', async () => {
    const { paths, webhooks } = await readDocument();

    const names = [...operationsOf(paths), ...operationsOf(webhooks)].map(({ operationId }) => operationId);

    assert.equal(new Set(names).size, names.length);
  });

  it('has the message of each event, as webhooks get it', async () => {
    const { components, webhooks } = await readDocument();

    assert.deepEqual(Object.keys(webhooks), Object.keys(eventTypes));
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { content = {} } = post?.requestBody ?? {};
      const { properties, required } = bodyOf(post, components.schemas);
      assert.deepEqual(required, ['data', 'timestamp', 'type']);
      assert.deepEqual(properties.type?.enum, [type]);
      const example = content['application/json']?.example as { data: object };
      const { data } = messageShapes[type as EventType].shape;
      assert.deepEqual(data.parse(example.data), example.data);
      assert.deepEqual(Object.keys(post?.responses ?? {}), ['410', '2XX', 'default']);
      const headers = post?.parameters?.map(({ $ref = '' }) => $ref.split('/').at(-1) ?? '') ?? [];
      assert.deepEqual(
        headers.map((name) => (components.parameters[name] as unknown as { name: string }).name),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      );
    }
  });

  it('references only existing components', async () => {
    const document = await readDocument();

    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];

    assert.ok(referred.length > 0);
    for (const [, name = ''] of referred) assert.ok(name in document.components.schemas, name);
  });

  it('declares who may call: everyone, every token, or project members', async () => {
    const { paths } = await readDocument();

    assert.deepEqual(paths['/api/auth/login']?.post?.security, []);
    assert.deepEqual(paths['/api/auth/me']?.get?.security, [{ token: [] }, { session: [] }]);
    assert.deepEqual(paths['/api/images']?.get?.security, [{ token: [], project: [] }, { session: [] }]);
  });

  it('declares the fields of a request with their types, limits and defaults', async () => {
    const { paths, components } = await readDocument();

    const { properties, required } = bodyOf(paths['/api/instances']?.post, components.schemas);

    assert.deepEqual([...required].sort(), ['flavor_id', 'image_id', 'name']);
    assert.equal(properties.boot_volume_size_gb?.type, 'integer');
    assert.deepEqual(resolved(properties.strategy, components.schemas).enum, ['prebuilt', 'dynamic']);
  });

  it('shows the first step of a log-in', async () => {
    const { paths } = await readDocument();

    const content = paths['/api/auth/login']?.post?.requestBody?.content['application/json'];
    assert.deepEqual(content?.example, { username: 'demo', password: 'demo-secret' });
  });

  it('declares the required fields of a response, also of nested objects', async () => {
    const { schemas } = (await readDocument()).components;
    const missing = ({ properties, required }: SchemaOfObject) =>
      Object.keys(properties).filter((name) => !required.includes(name));

    assert.deepEqual(missing(objectIn(schemas.LibraryBuild)), []);
    assert.deepEqual(missing(objectIn(schemas.Error)), [
      'reason',
      'params',
      'errors',
      'job_id',
      'upstream',
      'receipt',
      'receipt_expires_at',
      'missing_methods',
    ]);
    assert.deepEqual(missing(objectIn(schemas.Error?.properties?.upstream)), []);
    const { ip_addresses, fault } = schemas.InstanceDetail?.properties ?? {};
    assert.deepEqual(missing(objectIn(ip_addresses?.items)), []);
    assert.deepEqual(missing(objectIn(fault)), []);
  });

  it('names null among the values of a field that may be null', async () => {
    const { CreateSecurityGroupRule } = (await readDocument()).components.schemas;
    const { protocol } = objectIn(CreateSecurityGroupRule).properties;
    assert.deepEqual(protocol?.enum, ['tcp', 'udp', 'icmp', null]);
  });

  it('closes no object: requests and responses may have additional fields', async () => {
    assert.doesNotMatch(JSON.stringify(await readDocument()), /"additionalProperties":false/);
  });

  it('offers an Idempotency-Key for every POST that returns no new secret', async () => {
    const without = [
      '/api/auth/login',
      '/api/auth/application-credentials',
      '/api/auth/sso/callback',
      '/api/auth/exchange',
    ];
    const { paths, components } = await readDocument();

    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { parameters = [] }] of Object.entries(operations)) {
        const offered = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
        assert.equal(offered, method === 'post' && !without.includes(path), `${method} ${path}`);
      }
    }
    const {
      in: where,
      schema,
      example,
    } = components.parameters.IdempotencyKey as Document['components']['parameters'][string];
    assert.deepEqual([where, schema?.maxLength], ['header', 255]);
    // A page that tries requests would send an example with each of them.
    assert.equal(example, undefined);
  });

  it('names token and project before cookie and ticket, which replace both', async () => {
    const { components } = await readDocument();

    assert.deepEqual(Object.keys(components.securitySchemes), ['token', 'project', 'session', 'ticket']);
  });

  it('declares the X-Job-Id header of streams', async () => {
    const { paths } = await readDocument();

    const naming = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([_method, { responses }]) => responses['200']?.headers?.['X-Job-Id'] !== undefined)
        .map(([method]) => `${method} ${path}`),
    );
    const streaming = endpoints.filter(({ produces }) => produces === 'text/event-stream');
    const ofJobs = streaming.filter(({ path, startsJob }) => startsJob || path.startsWith('/api/jobs/'));
    const named = ofJobs.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    assert.ok(named.length > 9);
    assert.deepEqual(naming.toSorted(), named.toSorted());
  });

  it('has the id of what is created in answers or events', () => {
    const creating = endpoints.filter(
      ({ method, preference, startsJob, status }) =>
        method === 'POST' && preference === undefined && (status === 201 || startsJob !== undefined),
    );

    const lacking = creating.filter(({ response }) => {
      const fields = response === undefined ? [] : [...fieldsOf(response).keys()];
      return !fields.some((name) => name === 'id' || (name.endsWith('_id') && name !== 'job_id'));
    });

    assert.ok(creating.length > 40);
    const tickets = ['/api/jobs/:job_id/ticket', '/api/events/ticket'];
    assert.deepEqual(
      lacking.map(({ path }) => path),
      tickets,
    );
  });

  it('ties rows to the values of the parameter in their path', async () => {
    const { components, paths } = await readDocument();
    const hours = paths['/api/admin/timeseries/{resource_type}']?.get;
    const removal = paths['/api/admin/leftovers/{type}/{resource_id}/remove']?.post;

    const [types] = (hours?.parameters ?? []).map(({ schema }) => schema);
    const rows = hours?.responses['200']?.content?.['application/json']?.schema.items?.discriminator;
    assert.deepEqual(types, { $ref: '#/components/schemas/TimeSeriesType' });
    assert.deepEqual(Object.keys(rows?.mapping ?? {}), components.schemas.TimeSeriesType?.enum);
    const [type] = (removal?.parameters ?? []).map(({ schema }) => schema);
    assert.deepEqual(components.schemas.LeftoverRemoval?.properties?.type, type);
    assert.deepEqual(type, { $ref: '#/components/schemas/LeftoverType' });
  });

  it('declares the preference for a job beside each followed endpoint', async () => {
    const { paths } = await readDocument();

    const preferring = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([_method, { parameters = [] }]) =>
          parameters.some(({ $ref }) => $ref === '#/components/parameters/Prefer'),
        )
        .map(([method, { responses }]) => [
          `${method} ${path}`,
          Object.keys(responses['202']?.headers ?? {}).includes('Preference-Applied'),
        ]),
    );
    assert.deepEqual(preferring, [
      ['post /api/instances', true],
      ['post /api/volumes/backups', true],
      ['post /api/volumes/backups/{backup_id}/restore', true],
      ['post /api/volumes', true],
      ['post /api/file-storage', true],
      ['post /api/clusters', true],
      ['patch /api/lite/clusters/{cluster_id}/scale', true],
    ]);
  });

  it('declares a 404 for endpoints of optional services', async () => {
    const { paths } = await readDocument();

    for (const { method, path } of endpoints.filter(({ service }) => service !== undefined)) {
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      assert.ok(operation?.responses['404'], `${method} ${path}`);
    }
  });

  it('declares the header that resumes a stream', async () => {
    const { paths } = await readDocument();

    const headers = paths['/api/jobs/{job_id}/events']?.get?.parameters?.filter((one) => one.in === 'header');
    assert.deepEqual(
      headers?.map(({ name, required }) => [name, required]),
      [['Last-Event-ID', false]],
    );
  });
});

describe('the contract', () => {
  const suite = apiSuite();
  const contract = readContract();
  const inventory = join(import.meta.dirname, '../../../../shared/spec/endpoints.json');

  it('is kept by every endpoint, except for the listed exceptions', async () => {
    const api = await suite.start();
    const { body } = await api.get<RoutesDocument>('/api/openapi.json');

    assert.deepEqual(checkRoutes(contract, body), []);
  });

  it('is served by mounted endpoints, with and without a token', async () => {
    const api = await suite.start();
    const served = contract.filter(({ endpoint }) => !NOT_SERVED.includes(endpoint));

    for (const { endpoint, token } of served) {
      const [method = '', path = ''] = endpoint.split(' ');
      const { status, body } = await api.request<{ code?: string }>(method, path.replace(/\{\w+\}/g, 'x'));
      assert.ok(body?.code !== 'route_not_found' && status !== 405, `${endpoint}: ${status}`);
      if (token === true && body?.code !== 'service_disabled') assert.equal(status, 401, endpoint);
    }
  });

  it('is the current one', function () {
    if (!existsSync(inventory)) {
      console.log(`      There is no ${inventory} here: nothing to compare with.`);
      this.skip();
    }
    assert.deepEqual(
      contract,
      fromInventory(inventory),
      'Run: npm run check:routes -- --update <path of endpoints.json>',
    );
  });
});

describe('GET /api/docs', () => {
  const suite = apiSuite();

  it('loads everything from the gateway itself', async () => {
    const api = await suite.start();
    for (const name of ['', 'guide', 'errors', 'runbooks', 'operation']) {
      const page = await api.get(`/api/docs/${name}`);
      assert.equal(page.status, 200);
      assert.match(String(page.headers['content-type']), /^text\/html/);

      const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      assert.ok(loaded.length >= 3);
      for (const address of loaded) {
        const { pathname, origin } = new URL(address, 'http://gateway/api/docs/');
        assert.equal(origin, 'http://gateway', address);
        assert.equal((await api.get(pathname)).status, 200, address);
      }
    }
  });

  it('serves the texts, and what shows them', async () => {
    const api = await suite.start();

    const { text } = await api.get('/api/docs/guide.js');
    const modules = [...text.matchAll(/from '\.\/([\w.]+)'/g)].map(([, name = '']) => name);
    for (const name of ['guide.md', 'errors.md', 'runbooks.md', 'operation.md', ...modules]) {
      assert.equal((await api.get(`/api/docs/${name}`)).status, 200, name);
    }
    assert.equal(
      (await api.get('/api/docs/guide.md')).text,
      readFileSync(join(root, 'docs/api-guide.md'), 'utf8'),
    );
  });

  it('runs only scripts of the gateway, and no inline scripts', async () => {
    const api = await suite.start();

    const page = await api.get('/api/docs/');

    assert.match(String(page.headers['content-security-policy']), /script-src 'self'(;|$)/);
    assert.doesNotMatch(page.text, /<script(?![^>]*\ssrc=)[^>]*>\s*\S/);
  });

  it('shows the document of this gateway', async () => {
    const api = await suite.start();

    const { text } = await api.get('/api/docs/docs.js');

    assert.match(text, /url: new URL\('\.\.\/openapi\.json', import\.meta\.url\)/);
  });
});

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}

function operationsOf(paths: Document['paths']): Operation[] {
  return Object.values(paths).flatMap((operations) => Object.values(operations));
}

function resolved(schema: Schema | undefined, schemas: Record<string, Schema>): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : schemas[name]) ?? {};
}

/** An object schema. @throws when it has no fields, since a test of them would then always pass. */
function objectIn(schema: Schema | undefined): SchemaOfObject {
  const { properties, required = [] } = schema ?? {};
  assert.ok(properties, JSON.stringify(schema));
  return { properties, required };
}

function bodyOf(operation: Operation | undefined, schemas: Record<string, Schema>): SchemaOfObject {
  const schema = resolved(operation?.requestBody?.content['application/json']?.schema, schemas);
  return { properties: schema.properties ?? {}, required: schema.required ?? [] };
}
