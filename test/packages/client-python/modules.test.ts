import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStream } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { OpenApiDocument, Schema } from '../../../scripts/client-python/document.ts';
import { currentModules } from '../../../scripts/client-python/generate.ts';
import { type GeneratedModules, pythonModules } from '../../../scripts/client-python/modules.ts';
import { root } from '../../support/source/workspaces.ts';

const json = (schema: Schema) => ({ 'application/json': { schema } });

/** The modules of a document with one list of these rows, and one endpoint that has everything. */
function modulesOf(row: Schema): GeneratedModules {
  const marker = { name: 'marker', in: 'query', schema: { type: 'string' } };
  const document: OpenApiDocument = {
    paths: {
      '/api/rows': {
        get: {
          operationId: 'getRows',
          'x-event-type': 'row',
          parameters: [marker],
          responses: {
            200: { content: json({ type: 'array', items: { $ref: '#/components/schemas/Row' } }) },
          },
        },
      },
      '/api/rows/{row_id}/parts': {
        post: {
          operationId: 'postRowsByRowIdParts',
          summary: 'Add a "part"',
          parameters: [
            { name: 'row_id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'row_id', in: 'query', schema: { type: 'string' } },
            { name: 'from', in: 'query', required: true, schema: { type: 'integer' } },
            { $ref: '#/components/parameters/Key' },
          ],
          requestBody: {
            required: true,
            content: json({ type: 'object', properties: { size: { type: 'number' } } }),
          },
          responses: { 200: { content: json({ $ref: '#/components/schemas/Row' }) }, 204: {} },
        },
      },
    },
    components: {
      schemas: { Row: { type: 'object', ...row } },
      parameters: { Key: { name: 'Idempotency-Key', in: 'header' } },
    },
  };
  return pythonModules(document);
}

/** The declarations of types, without what precedes them. */
function typesOf(row: Schema): string {
  const { models } = modulesOf(row);
  return models.slice(models.indexOf('\n\n\n') + 3).trimEnd();
}

describe('the modules of the Python package', () => {
  it('have a request for every endpoint but streams and redirects', async () => {
    const { api } = await currentModules();

    const requests = [...api.matchAll(/^ {4}return \w+\("(\w+)", f?"([^"]*)"/gm)].map(
      ([, method, path = '']) => `${method} ${path.replace(/\{path_segment\((\w+)\)\}/g, '{$1}')}`,
    );

    const expected = endpoints
      .filter((endpoint) => endpoint.status !== 303 && !(isStream(endpoint) && endpoint.method === 'GET'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    assert.deepEqual(requests.toSorted(), expected.toSorted());
  });

  it('know the lists that can be watched', async () => {
    const { api } = await currentModules();

    const watched = [...api.matchAll(/Watchable\w+Request\(.*watched="(\w+)"/g)].map(([, type]) => type);

    assert.deepEqual(
      watched.toSorted(),
      endpoints.flatMap(({ changesWith, watched = changesWith }) => watched ?? []).toSorted(),
    );
  });

  it('declare every type that they name', async () => {
    const { api, models } = await currentModules();

    const declared = new Set(
      [...models.matchAll(/^(?:class )?(\w+)(?:\(TypedDict\):$| = |: TypeAlias)/gm)].map(([, name]) => name),
    );

    const named = [...api.matchAll(/models\.(\w+)/g)].map(([, name]) => name);
    assert.ok(named.length > 300);
    assert.deepEqual(
      named.filter((name) => !declared.has(name)),
      [],
    );
  });

  it('have a function with path, body and query', () => {
    const { api } = modulesOf({ properties: { id: { type: 'string' } } });

    assert.ok(
      api.includes(
        'def get_rows(\n    *,\n    marker: str | None = None,\n) -> WatchableRowsRequest[models.Row]:\n',
      ),
    );
    assert.ok(
      api.endsWith(`def post_rows_by_row_id_parts(
    row_id: str,
    body: models.PostRowsByRowIdPartsBody,
    *,
    from_: int,
    row_id_: str | None = None,
) -> Request[models.Row | None]:
    """Add a \\"part\\": \`POST /api/rows/{row_id}/parts\`"""
    return Request("POST", f"/api/rows/{path_segment(row_id)}/parts", query={"row_id": row_id_, "from": from_}, body=body)
`),
    );
  });

  it('have optional fields, unions, enumerations and nested objects', () => {
    const part = { type: 'object', properties: { size: { type: ['integer', 'null'] } }, required: ['size'] };

    const types = typesOf({
      description: 'One row.',
      properties: {
        id: { type: 'string', description: 'The\nid.' },
        state: { type: ['string', 'null'], enum: ['on', 'off', null] },
        parts: { type: 'array', items: part },
        other: { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        named: { type: 'string', allOf: [{ type: 'string' }] },
        kind: { const: 'row' },
        any: {},
      },
      required: ['id', 'state', 'any'],
    });

    const [nested, row] = [
      types.slice(types.indexOf('class RowParts')),
      types.slice(0, types.indexOf('\n\n')),
    ];
    assert.equal(
      row,
      `class Row(TypedDict):
    """One row."""
    id: str
    """The id."""
    state: Literal["on", "off"] | None
    parts: NotRequired[list[RowPartsItem]]
    other: NotRequired[Row | None]
    labels: NotRequired[dict[str, str]]
    named: NotRequired[str]
    kind: NotRequired[Literal["row"]]
    any: Any`,
    );
    assert.ok(nested.startsWith('class RowPartsItem(TypedDict):\n    size: int | None'));
  });

  it('have fields whose names are reserved, and aliases of other types', () => {
    assert.equal(
      typesOf({ properties: { from: { type: 'string' } } }).split('\n\n')[0],
      'Row = TypedDict("Row", {\n    "from": "NotRequired[str]",\n})',
    );
    assert.equal(typesOf({ type: 'string' }).split('\n\n')[0], 'Row: TypeAlias = "str"');
  });

  it('have the version of the release', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

    const project = readFileSync(join(root, 'packages/client-python/pyproject.toml'), 'utf8');

    assert.ok(project.includes(`\nversion = "${version}"\n`));
  });
});
