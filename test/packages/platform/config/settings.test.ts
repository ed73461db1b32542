import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { flatEntries, gone, loadConfig } from '@gateway/platform';
import type Joi from 'joi';
import { Document } from 'yaml';
import { settings } from '../../../../packages/platform/src/config/settings/index.ts';
import { generatedFiles } from '../../../../scripts/settings/files.ts';
import { root } from '../../../support/source/workspaces.ts';
import { minimalEnvironment, withFile } from './environment.ts';

const example = readFileSync(new URL('../../../../config.example.yaml', import.meta.url), 'utf8');

/** Every key of a schema, as `session.length_seconds`; for a list, the keys of its items. */
function keysOf(schema: Joi.Description, path = ''): string[] {
  const items = (schema.items as Joi.Description[] | undefined)?.[0];
  if (items !== undefined) return keysOf(items, path);
  return Object.entries((schema.keys ?? {}) as Record<string, Joi.Description>).flatMap(([key, below]) => [
    path + key,
    ...keysOf(below, `${path}${key}.`),
  ]);
}

describe('the declared settings', () => {
  for (const { path, text } of generatedFiles()) {
    it(`are those of ${relative(root, path)}, which npm run settings writes`, () => {
      assert.equal(readFileSync(path, 'utf8'), text);
    });
  }

  it('have a description each', () => {
    const described = flatEntries().map(({ path }) => path.join('.'));
    const byService = /^(?:identity\.endpoints|upstream\.services)\./;

    assert(described.length > 300);
    assert.deepEqual(
      keysOf(settings.describe()).filter((key) => !described.includes(key) && !byService.test(key)),
      [],
    );
  });

  it('have examples that load', () => {
    const folder = mkdtempSync(join(tmpdir(), 'example-'));
    const keyFile = join(folder, 'key.asc');
    writeFileSync(keyFile, '-----BEGIN PGP PUBLIC KEY BLOCK-----\n-----END PGP PUBLIC KEY BLOCK-----\n');
    const file = new Document({});
    for (const { example: shown, path } of flatEntries()) if (shown !== undefined) file.setIn(path, shown);

    const config = withFile(String(file).replace(/(?<=key_file: )\/.*/, keyFile), (environment) =>
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
  });

  it('that are gone are named with the reason', () => {
    for (const [path, reason] of Object.entries(gone)) {
      const file = new Document({});
      file.setIn(path.split('.'), 600);

      withFile(String(file), (environment) =>
        assert.throws(() => loadConfig(environment), {
          message: `Configuration: "${path}" is gone: ${reason} (in ${environment.GATEWAY_CONFIG}).`,
        }),
      );
    }
  });
});

describe('config.example.yaml', () => {
  it('has the defaults', () => {
    assert.deepEqual(withFile(example, loadConfig), loadConfig(minimalEnvironment()));
  });
});
