import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDocument } from '../../../apps/api/src/openapi/document.ts';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import { root } from '../../support/source/workspaces.ts';

const run = promisify(execFile);

/** Checks a document with the rules of redocly.yaml. Returns what the linter reports. */
async function lint(document: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stdout } = await run(
      process.execPath,
      [linter, 'lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ).catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout) as {
      problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
    };
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the rules of redocly.yaml', function () {
  this.timeout(120_000);

  it('are kept by the OpenAPI document', async () => {
    assert.deepEqual(await lint(await createDocument(endpoints, '0.1.0')), []);
  });

  it('find an example that does not match its schema', async () => {
    const document = (await createDocument(endpoints, '0.1.0')) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }>;
    };
    const { example } = document.paths['/api/volumes']?.post.requestBody.content['application/json'] ?? {};
    Object.assign(example ?? {}, { size_gb: 'ten' });

    const [problem, ...others] = await lint(document);

    assert.match(problem ?? '', /no-invalid-media-type-examples .*api~1volumes\/post\/requestBody/);
    assert.deepEqual(others, []);
  });
});
