import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFLICT_REASONS } from '@gateway/core';
import type { Shape } from '@gateway/core/shapes';
import type { Schema } from 'joi';
import { ERROR_CODES, type ErrorCode } from '../../../apps/api/src/http/schemas/error-codes.ts';
import { errorShape } from '../../../apps/api/src/http/schemas/error-shape.ts';
import { createDocument } from '../../../apps/api/src/openapi/document.ts';
import { errorCodesOf } from '../../../apps/api/src/openapi/error-responses.ts';
import { type AnyEndpoint, isStream } from '../../../apps/api/src/pipeline/endpoint.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { errorsPage } from '../../../scripts/errors/page.ts';
import { root } from '../../support/source/workspaces.ts';

interface Content {
  schema: unknown;
  example?: unknown;
  examples?: Record<string, { value: { code: string } }>;
}

interface Operation {
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { $ref?: string; content?: Record<string, Content> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { content: Record<string, Content> }> };
}

const { components, paths } = (await createDocument(endpoints, '0')) as unknown as Document;

describe('the examples of the OpenAPI document', () => {
  for (const endpoint of endpoints) {
    const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    assert.ok(operation);

    it(`of ${endpoint.method} ${endpoint.path} are valid, in the request and in the response`, () => {
      for (const where of ['path', 'query'] as const) {
        const schema = where === 'path' ? endpoint.params : endpoint.query;
        const named = (operation.parameters ?? []).filter((parameter) => parameter.in === where);
        const given = Object.fromEntries(named.map(({ name, example }) => [name, example]));
        if (schema !== undefined) assertValid(schema, given, { convert: true });
      }
      if (endpoint.body !== undefined) {
        const type = endpoint.takesForm ? 'application/x-www-form-urlencoded' : 'application/json';
        assertValid(endpoint.body, operation.requestBody?.content[type]?.example);
      }
      const { content } = operation.responses[endpoint.status ?? 200] ?? {};
      const { example } = content?.[endpoint.produces ?? 'application/json'] ?? {};
      if (endpoint.response !== undefined) assertHasShape(endpoint.response, example);
      else assert.equal(typeof example, hasText(endpoint) ? 'string' : 'undefined');
    });
  }

  it('have an error for each code of each endpoint, under its status', () => {
    for (const endpoint of endpoints) {
      const operation = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
      const shown = Object.entries(operation?.responses ?? {}).flatMap(([status, declared]) => {
        const response = components.responses[declared.$ref?.split('/').at(-1) ?? ''] ?? declared;
        const { examples = {} } = response.content?.['application/json'] ?? {};
        return Object.entries(examples).map(([code, { value }]) => {
          assertHasShape(errorShape, value);
          assert.equal(value.code, code);
          assert.equal(String(ERROR_CODES[code as ErrorCode][0]), status, code);
          return code;
        });
      });
      assert.deepEqual(shown.toSorted(), errorCodesOf(endpoint).toSorted(), endpoint.path);
    }
  });
});

/** Responses to what has no endpoint. */
describe('the table of error codes', () => {
  it('has every code that the source throws, with its status', () => {
    const sources = globSync('{apps/api,apps/worker,packages/*}/src/**/*.ts', { cwd: root });
    const texts = sources.map((file) => readFileSync(join(root, file), 'utf8'));
    const thrown = texts.flatMap((text) => [
      ...text.matchAll(/(?:GatewayError|errorFactory)\(\s*(\d{3}),\s*'([a-z_]+)'/g),
    ]);
    assert.ok(thrown.length > 30, `only ${thrown.length}`);

    const codes: Record<string, readonly [number, string, string] | undefined> = ERROR_CODES;
    const unlisted = thrown
      .filter(([_match, status, code = '']) => codes[code]?.[0] !== Number(status))
      .map(([_match, status, code]) => `${status} ${code}`);

    assert.deepEqual(unlisted, []);
  });

  it('is what docs/errors.md has, which npm run errors writes', () => {
    assert.equal(readFileSync(errorsPage.path, 'utf8'), errorsPage.text);
  });

  it('has a reason of conflicts only if something refuses for it', () => {
    const sources = globSync('{apps/api,apps/worker,packages/*}/src/**/*.ts', { cwd: root });
    const text = sources
      .filter((file) => !file.endsWith('conflict-reasons.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');

    assert.deepEqual(
      Object.keys(CONFLICT_REASONS).filter((reason) => !text.includes(`'${reason}'`)),
      [],
    );
  });
});

function hasText(endpoint: AnyEndpoint): boolean {
  return isStream(endpoint) || endpoint.produces !== undefined;
}

function assertValid(schema: Schema, example: unknown, { convert } = { convert: false }): void {
  assert.notEqual(example, undefined, 'there is an example');
  const { error } = schema.validate(example, { convert, abortEarly: false });
  assert.equal(error?.message, undefined, JSON.stringify(example));
}

function assertHasShape(shape: Shape<unknown>, example: unknown): void {
  assert.equal(shape.safeParse(example).error?.message, undefined, JSON.stringify(example));
}
