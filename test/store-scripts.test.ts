import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisConnections } from '@gateway/store';
import { connectRedis } from './support/redis/test-redis.ts';
import { root } from './support/source/workspaces.ts';

type NamedScript = { name: string; text: string };

const LUA =
  /\b(?:and|break|do|else|elseif|end|false|for|function|if|in|local|nil|not|or|repeat|return|then|true|until|while)\b/g;
const GLOBALS = 'cjson ipairs KEYS ARGV math next pairs redis string table tonumber tostring unpack'.split(
  ' ',
);

describe('the scripts of the store', () => {
  const sources = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root });
  const defining = sources.filter((file) => definitionsIn(file) > 0);
  const scripts: NamedScript[] = [];
  let redis: RedisConnections;

  before(async () => {
    for (const file of defining)
      scripts.push(...Object.values(await import(join(root, file))).filter(isScript));
    redis = await connectRedis();
  });

  after(() => redis.close());

  it('each have a name and stand in a file for scripts', () => {
    assert.deepEqual(
      defining.filter((file) => !/\/(?:scripts|[\w-]+-script)\.ts$/.test(file)),
      [],
    );
    const definitions = defining.map(definitionsIn).reduce((sum, count) => sum + count, 0);
    assert.equal(scripts.length, definitions, 'each is exported');
    assert.ok(scripts.length > 40, `only ${scripts.length}`);
    assert.equal(new Set(scripts.map(({ name }) => name)).size, scripts.length);
  });

  it('run only through their definitions', () => {
    const running = sources.filter((file) =>
      /\.eval(?:sha)?\(/i.test(readFileSync(join(root, file), 'utf8')),
    );

    assert.deepEqual(running, ['packages/store/src/script.ts']);
  });

  it('are accepted by Redis', async () => {
    for (const { name, text } of scripts) {
      const digest = await (redis.store as { script(...words: string[]): Promise<unknown> }).script(
        'LOAD',
        text,
      );
      assert.match(String(digest), /^[0-9a-f]{40}$/, name);
    }
  });

  it('use every key and argument, by name', () => {
    for (const { name, text } of scripts) {
      const lines = text.split('\n');
      const declaring = lines.filter((line) => /^local .* = (?:\{ )?unpack\((?:KEYS|ARGV), /.test(line));
      const body = lines.filter((line) => !declaring.includes(line)).join('\n');

      assert.doesNotMatch(body, /\b(?:KEYS|ARGV)\b/, name);
      const unused = declaring.flatMap(namesDeclaredIn).filter((word) => !wordsOf(body).includes(word));
      assert.deepEqual(unused, [], name);
    }
  });

  it('read no variable that they have not declared', () => {
    for (const { name, text } of scripts) {
      const code = text.replaceAll(/--.*/g, '').replaceAll(/'[^']*'/g, "''");
      const declared = new Set([...GLOBALS, ...namesDeclaredIn(code)]);
      const rest = code.replaceAll(/([{,]\s*)\w+ = /g, '$1').replaceAll(/\.\w+/g, '');

      assert.deepEqual(
        wordsOf(rest).filter((word) => !declared.has(word)),
        [],
        name,
      );
    }
  });
});

function definitionsIn(file: string): number {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/\bdefineScript\(/g)].length;
}

function isScript(value: unknown): value is NamedScript {
  return typeof value === 'object' && value !== null && 'text' in value && 'runReplicated' in value;
}

/** The names in `local` statements, loops and lists of parameters. */
function namesDeclaredIn(code: string): string[] {
  const lists = code.matchAll(
    /\blocal (?!function)([\w, ]+)|\bfor ([\w, ]+?) (?:in|=)|\bfunction ?(\w*\([^)]*)\)/g,
  );
  return [...lists].flatMap((found) => wordsOf(found.slice(1).join(' ')));
}

function wordsOf(code: string): string[] {
  return code.replaceAll(LUA, ' ').match(/\b[A-Za-z_]\w*/g) ?? [];
}
