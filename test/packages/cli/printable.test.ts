import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { printable, printableJson, printableText } from '../../../packages/cli/src/output/printable.ts';
import { cliSuite } from './cli-suite.ts';

const ID = '11111111-2222-3333-4444-555555555555';
/** Clears the screen, sets the title, moves the cursor in eight bits, and reverses the direction of text. */
const HOSTILE = '\u001b[2J\u001b]0;title\u0007\u009b5A\u202eevil\u007f\u0000';
const LOG = `\u001b[0;32m  OK  \u001b[0m Started.\r\n${HOSTILE}\n`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal must not get.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const [INSTANCE, CONSOLE_LOG] = [`/api/instances/${ID}`, `/api/instances/${ID}/log`];

describe('what a terminal gets', () => {
  const { gateway, terminal, env } = cliSuite();

  before(() => {
    const named = { id: ID, name: HOSTILE, [HOSTILE]: LOG };
    const text = { 'content-type': 'text/plain' };
    gateway.answers({
      'GET /api/instances': { body: [named] },
      [`GET ${INSTANCE}`]: { body: named },
      [`GET ${CONSOLE_LOG}`]: { body: LOG, headers: text },
      'GET /api/images': { status: 409, body: { code: 'conflict', detail: HOSTILE, errors: [] } },
      'GET /api/metrics': { body: LOG, headers: { ...text, 'x-name': encodeURI(HOSTILE) } },
      'GET /api/events': { body: `data: ${LOG}`, headers: { 'content-type': 'text/event-stream' } },
    });
  });

  for (const command of [
    'list instances',
    'list instances --output json',
    'list instances --output yaml',
    'list instances --output value',
    `show instance ${ID}`,
    `show instance ${ID} --output json`,
    `show instance ${ID} --output yaml`,
    `show instance-log ${ID}`,
    `api GET ${INSTANCE}`,
    'api GET /api/metrics --include',
    'api GET /api/events',
    'list images',
    `list ${HOSTILE}`,
    `list instances --columns ${HOSTILE}`,
    `show keypair ${HOSTILE}`,
  ]) {
    it(`has no control characters: ${printable(command).replace(ID, 'ID')}`, async () => {
      const { stdout, stderr } = await terminal.run(command.split(' '), { env, types: [] });

      assert.ok(stdout.length + stderr.length > 10, stderr);
      assert.doesNotMatch(stdout + stderr, CONTROL);
    });
  }

  it('is the log of a guest without its colours', async () => {
    const { stdout } = await terminal.run(['api', 'GET', '/api/metrics'], { env, types: [] });

    assert.match(stdout, /^ {2}OK {2} Started\.\n/);
  });

  it('is valid JSON and YAML with the same value', async () => {
    const body = { id: ID, name: HOSTILE, [HOSTILE]: LOG };
    const read = async (...more: string[]) =>
      (await terminal.run(['show', 'instance', ID, ...more], { env, types: [] })).stdout;

    assert.deepEqual(JSON.parse(await read('-o', 'json')), body);
    assert.equal((parse(await read('-o', 'yaml')) as { id: string }).id, ID);
  });

  it('is what a pipe gets, where that has all of it', async () => {
    const piped = await terminal.run(['api', 'GET', '/api/metrics'], { env });

    assert.equal(piped.stdout, LOG);
  });

  it('is YAML that older readers understand', async () => {
    const body = { id: ID, name: 'no', mac_address: '52:54:00:12:34:56', created_at: '2026-11-29T10:00:00Z' };
    gateway.answers({ [`GET ${INSTANCE}`]: { body } });

    const { stdout } = await terminal.run(['show', 'instance', ID, '-o', 'yaml'], { env });

    assert.deepEqual(parse(stdout, { version: '1.1' }), body);
  });
});

describe('printable', () => {
  it('keeps lines, tabs and all letters', () => {
    for (const text of ['a\tb\nc', 'Zürich', 'שלום', '名前', '👩‍💻'])
      for (const print of [printable, printableText]) assert.equal(print(text), text);
    assert.equal(printable('a\r\nb\rc'), 'a\nb\ufffdc');
  });

  it('escapes in JSON what it replaces in texts', () => {
    assert.equal(printableJson({ a: '\u009b\u202e\u007f\n' }), '{"a":"\\u009b\\u202e\\u007f\\n"}');
    assert.equal(printableJson([1], 2), '[\n  1\n]');
  });
});
