import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Stack } from '../../scripts/stack.ts';
import { root } from '../support/source/workspaces.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

/** The interpreter of an environment with nothing but the installed package, and the checker of types. */
const { TEST_PYTHON: python = '', TEST_MYPY: mypy = '' } = process.env;
/** The pages with examples in Python: those of a page are one program. */
const pages = ['packages/client-python/README.md', 'docs/api-guide.md'];

describe('the installed Python package', function () {
  this.timeout(300_000);
  let folder: string;
  let stack: Stack;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-python-use-'));
    stack = await startTestStack({ own: true });
  });

  after(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The output. Fails with it, and with that of errors. */
  async function run(program: string, args: string[], cwd = folder): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd }).catch(
      (error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}${error.stderr}`),
    );
    return stdout + stderr;
  }

  /** Examples of pages as files, with the address of the gateway. */
  function writeExamples(): string[] {
    return pages.map((page, index) => {
      const text = examplesOf(page).join('\n\n');
      const file = join(folder, `example_${index}.py`);
      writeFileSync(file, text.replaceAll('http://127.0.0.1:8000', stack.url));
      return file;
    });
  }

  it('passes its tests with both clients', async () => {
    const tests = join(root, 'test/packages/client-python');

    const output = await run(python, ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', tests]);

    assert.match(output, /^Ran [1-9]\d+ tests/m);
    assert.match(output, /^OK$/m);
  });

  it('has types that strict mypy accepts, with the programs that use it', async () => {
    const programs = ['sample.py', 'creation.py'].map((name) => join(root, 'test/python', name));
    const checked = [join(root, 'packages/client-python/src/gateway_client'), ...programs];
    const strictly = ['--strict', '--python-executable', python, '--cache-dir', join(folder, 'cache')];

    for (const files of [checked, ...writeExamples().map((file) => [file])])
      assert.match(await run(mypy, [...strictly, ...files]), /^Success: no issues found/);
  });

  for (const [index, page] of pages.entries()) {
    it(`runs the examples of ${page}`, async () => {
      const output = await run(python, ['-W', 'error', writeExamples()[index] ?? '']);

      assert.match(output, /^100 % /m);
    });
  }

  it('creates an instance without gaps or repetitions across an api restart', async () => {
    const { password, projectName, username } = testLogin('demo');
    const login = JSON.stringify({ username, password, project_name: projectName });
    const program = join(root, 'test/python/creation.py');
    const child = spawn(python, [program, stack.url, login], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const lines: { id?: number; step?: string; attempt?: number }[] = [];

    for await (const text of createInterface({ input: child.stdout })) {
      lines.push(JSON.parse(text));
      if (lines.at(-1)?.id === 2) {
        await stack.apis[0]?.kill('SIGKILL');
        await stack.apis[0]?.restart();
      }
    }

    assert.deepEqual(await exited, [0, null]);
    const events = lines.filter(({ id }) => id !== undefined);
    assert.deepEqual(
      events.map(({ id }) => id),
      events.map((_event, index) => index + 1),
    );
    assert.equal(events.at(-1)?.step, 'COMPLETED');
    assert.ok(
      lines.some(({ attempt }) => attempt === 1),
      'the stream was resumed',
    );
  });
});

function examplesOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const examples = [...text.matchAll(/^```python\n(?<code>[\s\S]*?)^```/gm)];
  return examples.map(({ groups }) => groups?.code ?? '');
}
