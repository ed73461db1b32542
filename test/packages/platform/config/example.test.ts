import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@gateway/platform';
import type Joi from 'joi';
import { parse } from 'yaml';
import { configSchema } from '../../../../packages/platform/src/config/schema.ts';
import { minimalEnvironment, withFile } from './environment.ts';

const example = readFileSync(new URL('../../../../config.example.yaml', import.meta.url), 'utf8');
/** With the commented lines in place of the empty value above them. */
const complete = example.replace(/(?:: \{\}|: null|: \[\])(\n *#:)/g, ':$1').replace(/^( *)#:/gm, '$1');

type Tree = Record<string, unknown>;

/** Every key of a schema, as `session.length_seconds`; for a list, the keys of its items. */
function keysOf(schema: Joi.Description, path = ''): string[] {
  const items = (schema.items as Joi.Description[] | undefined)?.[0];
  if (items !== undefined) return keysOf(items, path);
  return Object.entries((schema.keys ?? {}) as Record<string, Joi.Description>).flatMap(([key, below]) => [
    path + key,
    ...keysOf(below, `${path}${key}.`),
  ]);
}

function has(tree: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true;
  if (Array.isArray(tree)) return has(tree[0], [key, ...rest]);
  return typeof tree === 'object' && tree !== null && key in tree && has((tree as Tree)[key], rest);
}

describe('config.example.yaml', () => {
  it('has the defaults', () => {
    assert.deepEqual(withFile(example, loadConfig), loadConfig(minimalEnvironment()));
  });

  it('has every key of the schema', () => {
    const tree: unknown = parse(complete);
    const keys = keysOf(configSchema.describe());

    assert(keys.length > 100);
    assert.deepEqual(
      keys.filter((key) => !has(tree, key.split('.'))),
      [],
    );
  });

  it('loads with all commented keys', () => {
    const folder = mkdtempSync(join(tmpdir(), 'example-'));
    const keyFile = join(folder, 'key.asc');
    writeFileSync(keyFile, '-----BEGIN PGP PUBLIC KEY BLOCK-----\n-----END PGP PUBLIC KEY BLOCK-----\n');

    const config = withFile(complete.replace(/(?<=key_file: )\/.*/, keyFile), (environment) =>
      loadConfig({
        ...environment,
        GATEWAY_PUBLIC_URL: 'https://gateway.example.org',
        GATEWAY_SERVICE_PASSWORD: 'pw',
        GATEWAY_REGISTRY_PASSWORD: 'pw',
      }),
    );

    rmSync(folder, { recursive: true });
    assert.equal(config.serviceUser?.username, 'gateway');
    assert.equal(Object.keys(config.identity.endpoints).length, 12);
    assert.match(config.identity.endpoints.blockStorage ?? '', /%\(project_id\)s$/);
  });

  it('has a comment above every key, except in later libraries', () => {
    const lines = example.slice(0, example.indexOf('  - id: numpy-stack')).split('\n');
    const bare = lines.filter(
      (line, at) => /^ +(?:- )?\w+:(?: |$)/.test(line) && !/^ *#(?!:)/.test(lines[at - 1] ?? ''),
    );

    assert.deepEqual(bare, []);
  });
});
