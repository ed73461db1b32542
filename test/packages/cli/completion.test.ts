import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../../support/skip-without.ts';
import { cliSuite } from './cli-suite.ts';

const ID = '11111111-2222-3333-4444-555555555555';
const OTHER = '21111111-2222-3333-4444-555555555555';
const folder = join(import.meta.dirname, '../../../packages/cli/src/completion/scripts');

describe('completion', () => {
  const { gateway, terminal, env } = cliSuite();

  beforeEach(() =>
    gateway.answers({
      'GET /api/volumes': {
        body: [
          { id: ID, name: 'data 1', status: 'available' },
          { id: OTHER, name: 'logs', status: 'in-use' },
        ],
      },
      'GET /api/instances': {
        body: [
          { id: ID, name: 'twin' },
          { id: OTHER, name: 'twin' },
          { id: '31111111-2222-3333-4444-555555555555', name: '--all\u001b[2J' },
        ],
      },
      'GET /api/images': { body: [{ id: ID, name: 'debian' }] },
      [`GET /api/instances/${ID}/volumes`]: { body: [{ id: OTHER, name: 'disk' }] },
    }),
  );

  /** The proposals at the end of a line. */
  async function proposals(...words: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await terminal.run(['complete', '--', ...words], { env });
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines.pop() ?? '', /^:\d$/);
    return lines.map((line) => line.split('\t')[0] ?? '');
  }

  it('proposes commands, also after "help"', async () => {
    assert.deepEqual(await proposals('log'), ['login', 'logout']);
    assert.deepEqual(await proposals('list', 'instances-'), []);
    assert.ok((await proposals('list', 'inst')).includes('instances'));
    assert.deepEqual(await proposals('help', 'list', 'instances'), ['instances']);
    assert.deepEqual(await proposals('action', 'instance', 'reb'), ['reboot', 'rebuild']);
  });

  it('proposes options and what they can be', async () => {
    assert.deepEqual(await proposals('list', 'images', '--quie'), ['--quiet']);
    assert.deepEqual(await proposals('list', 'images', '--output', 'j'), ['json']);
    assert.deepEqual(await proposals('list', 'images', '--output=y'), ['--output=yaml']);
    assert.deepEqual(await proposals('create', 'instance', '--name', ''), []);
    assert.deepEqual(gateway.seen, []);
  });

  it('proposes names where a resource is named', async () => {
    assert.deepEqual(await proposals('delete', 'volume', ''), ['data 1', 'logs']);
    assert.deepEqual(await proposals('delete', 'volumes', 'logs', 'd'), ['data 1']);
    assert.deepEqual(await proposals('show', 'volume', 'logs', ''), []);
    assert.deepEqual(await proposals('create', 'instance', '--image', ''), ['debian']);
    assert.deepEqual(await proposals('delete', 'instance-volume', ID, ''), ['disk']);
  });

  it('proposes ids in place of names that are not clear', async () => {
    const [first, second, third] = await proposals('console', '');

    assert.deepEqual([first, second, third?.slice(0, 8)], [ID, OTHER, '31111111']);
  });

  it('proposes ids in place of names that PowerShell would run', async () => {
    const names = ['a`; calc', 'a\u2019; calc', 'a\u201d; calc', 'plain'];
    const rows = names.map((name, index) => ({ id: `${index}${ID.slice(1)}`, name }));
    gateway.answers({ 'GET /api/volumes': { body: [...rows, { id: 'b`; calc', name: '' }] } });

    const [first, second, third, ...others] = await proposals('delete', 'volume', '');

    assert.deepEqual(
      [first, second, third].map((id) => id?.slice(0, 8)),
      ['01111111', '11111111', '21111111'],
    );
    assert.deepEqual(others, ['plain']);
  });

  it('proposes files after @', async () => {
    mkdirSync(join(terminal.home, 'scripts'), { recursive: true });
    writeFileSync(join(terminal.home, 'scripts/first'), '');
    const create = ['create', 'instance', '--user-data'];

    assert.deepEqual(await proposals(...create, `@${terminal.home}/scr`), [`@${terminal.home}/scripts/`]);
    assert.deepEqual(await proposals(...create, `@${terminal.home}/scripts/`), [
      `@${terminal.home}/scripts/first`,
    ]);
  });

  it('is silent without a session, and logs nobody in', async () => {
    const { GATEWAY_URL = '' } = env;
    const credentials = { GATEWAY_URL, GATEWAY_USERNAME: 'demo', GATEWAY_PASSWORD: 'secret' };

    for (const other of [{ GATEWAY_URL }, credentials]) {
      const result = await terminal.run(['complete', '--', 'delete', 'volume', ''], { env: other });

      assert.deepEqual(result, { code: 0, stdout: ':4\n', stderr: '' });
    }
    assert.deepEqual(gateway.seen, []);
  });

  describe('in a shell that has sourced it twice', function () {
    this.timeout(300_000);
    /** Prints names as others choose them, and then its arguments. */
    const gatewayProgram = `#!/bin/sh
printf 'data 1\\tin use\\n$(touch stolen):5\\t\\nplain\\t\\n'
printf '%s|' "$@" >calls
echo :4
`;

    before(() => {
      writeFileSync(join(terminal.home, 'gateway'), gatewayProgram, { mode: 0o755 });
    });

    function shell(program: string, ...args: string[]): string {
      return execFileSync(program, args, {
        cwd: terminal.home,
        env: { PATH: `${terminal.home}:${process.env.PATH}`, HOME: terminal.home, LC_ALL: 'C.UTF-8' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }

    const calls = () => shell('cat', 'calls');

    it('quotes names in bash, which needs no package', () => {
      const line = String.raw`gateway delete volume data\ 1 `;
      const script = `set -eu; source ${folder}/gateway.bash; source ${folder}/gateway.bash
        COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; set +eu
        _gateway; printf '%s\\n' "\${COMPREPLY[@]}"`;

      const replies = shell('bash', '--noprofile', '--norc', '-c', script);

      assert.equal(replies, 'data\\ 1\n\\$\\(touch\\ stolen\\):5\nplain\n');
      assert.equal(calls(), 'complete|--|delete|volume|data 1||');
    });

    it('replaces in bash only what follows the last break', () => {
      const script = `source ${folder}/gateway.bash
        gateway() { printf '%s\\t\\n' 'registry:5000/a b' :4; }
        COMP_LINE='gateway show image registry:50'; COMP_POINT=\${#COMP_LINE}
        _gateway; printf '%s\\n' "\${COMPREPLY[@]}"`;

      assert.equal(shell('bash', '--noprofile', '--norc', '-c', script), '5000/a\\ b\n');
    });

    it('gives zsh values and descriptions', async function () {
      const zsh = await requireProgram('zsh', 'zsh', this);
      const script = `compdef() { :; }
        source ${folder}/gateway.zsh; source ${folder}/gateway.zsh
        _describe() { print -rl -- "\${pairs[@]}"; }
        words=(gateway delete volume 'data\\ 1' ''); CURRENT=5; _gateway`;

      const pairs = shell(zsh, '-f', '-c', script);

      assert.equal(pairs, 'data 1:in use\n$(touch stolen)\\:5:\nplain:\n');
      assert.equal(calls(), 'complete|--|delete|volume|data 1||');
    });

    it('gives fish values and descriptions', async function () {
      const fish = await requireProgram('fish', 'fish', this);
      const script = `source ${folder}/gateway.fish; source ${folder}/gateway.fish
        complete -C 'gateway delete volume data\\ 1 '`;

      const lines = shell(fish, '--no-config', '-c', script);

      assert.deepEqual(lines.trimEnd().split('\n').toSorted(), [
        '$(touch stolen):5',
        'data 1\tin use',
        'plain',
      ]);
      assert.equal(calls(), 'complete|--|delete|volume|data 1||');
    });
  });
});
