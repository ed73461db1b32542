import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { check, type Diagnostics } from 'recheck';
import { expressionsOfSource, regularExpressionsIn } from '../support/source/regular-expressions.ts';

/** The checker's native program, if npm has installed it: several times as fast as its JavaScript version. */
process.env.RECHECK_BACKEND ??= hasNativeChecker() ? 'native' : 'pure';

/** Files whose patterns only match texts of the simulated cloud's own client, or names in the source. */
const MADE_AT_RUN_TIME = ['apps/cloudsim/'];

/**
 * With a pattern that takes quadratic time, one caller can block the process by a long text. Reading rarely
 * reveals such patterns. `recheck` decides by automata theory where it can, and by fuzzing for the few
 * patterns with look-around.
 */
describe('the regular expressions of the source', function () {
  this.timeout(300_000);

  const found = regularExpressionsIn('{apps,packages,scripts}/**/*.ts');

  it('are collected', () => {
    assert.ok(found.length > 100, `only ${found.length}`);
  });

  it('take time that is linear in the length of the text', async () => {
    const refused: string[] = [];
    for (const [pattern, places] of Map.groupBy(found, ({ source, flags }) => `/${source}/${flags}`)) {
      const [{ source, flags }] = places as [(typeof places)[0]];
      const verdict = source === null ? 'safe' : await verdictOn(source, flags);
      if (verdict !== 'safe') refused.push(`${places.map(({ place }) => place)}: ${pattern} is ${verdict}`);
    }

    assert.deepEqual(refused, []);
  });

  it('are literals in the source, never built from external text', () => {
    const made = found.filter(({ source }) => source === null).map(({ place }) => place);

    assert.deepEqual(
      made.filter((place) => !MADE_AT_RUN_TIME.some((folder) => place.startsWith(folder))),
      [],
    );
  });

  it('are rejected if two repetitions can match the same text', async () => {
    assert.match(await verdictOn('[\\w-]*(?:token)=', ''), /^vulnerable/);
    assert.match(await verdictOn('^(?:a+)+$', ''), /^vulnerable/);
    assert.match(await verdictOn('[(|]\\||(?:b|c)|^(?:a+)+$', ''), /^vulnerable/);
    assert.equal(await verdictOn('(?:token)=[^&]{1,400}', 'g'), 'safe');
  });

  it('are found as literals and as concatenated constants', () => {
    const source = [
      'const name: string = "a";',
      `export const pattern: RegExp = /x+\\/y/gi;`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
      'const made = new RegExp(`${name}+` + "b", "g");',
      'export const open = (text: string) => new RegExp(text);',
    ].join('\n');

    assert.deepEqual(expressionsOfSource(source, 'x.ts'), [
      { place: 'x.ts:2', source: 'x+\\/y', flags: 'gi' },
      { place: 'x.ts:3', source: 'a+b', flags: 'g' },
      { place: 'x.ts:4', source: null, flags: '' },
    ]);
  });
});

/**
 * A search tries one alternative after the other, so it takes linear time if a search for each of them does.
 * The checker takes much longer for all at once, and does so only if one of them depends on the others.
 */
async function verdictOn(source: string, flags: string): Promise<string> {
  const alternatives = alternativesOf(source);
  for (const alternative of alternatives) {
    const verdict = await verdictOnPattern(alternative, flags);
    if (verdict !== 'safe') return alternatives.length === 1 ? verdict : verdictOnPattern(source, flags);
  }
  return 'safe';
}

/** Those at the top of a pattern, and the whole pattern if it refers to its groups. */
function alternativesOf(source: string): string[] {
  if (/\\(?:[1-9]|k<)/.test(source)) return [source];
  const found = [''];
  let depth = 0;
  for (const [part] of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^\\[]/gs)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === '|' && depth === 0) found.push('');
    else found.push(`${found.pop()}${part}`);
  }
  return found;
}

async function verdictOnPattern(source: string, flags: string): Promise<string> {
  // A pattern without a repetition reads a limited number of characters from each position of a text.
  if (!/[*+{]/.test(source)) return 'safe';
  const open = withoutUpperLimits(source);
  const exact = await check(open, flags, { checker: 'automaton', timeout: 60_000 });
  if (exact.status !== 'unknown') return describeResult(exact);
  // Lookarounds and back references are executed instead.
  return describeResult(await check(open, flags, { checker: 'fuzz', timeout: 60_000, attackTimeout: null }));
}

/**
 * Replaces limits such as `{1,255}` by `+`: a pattern that is fast without a limit is fast with one, and the
 * checker expands every limit. Small limits stay.
 */
function withoutUpperLimits(source: string): string {
  return source.replace(/(\\.)|\{(\d+)(?:,(\d*))?\}/g, (whole, escaped, least, most = least) => {
    if (escaped !== undefined || (most !== '' && Number(most) <= 3)) return whole;
    return least === '0' ? '*' : '+';
  });
}

function describeResult(result: Diagnostics): string {
  if (result.status === 'safe') return 'safe';
  if (result.status === 'unknown') return `not known to be safe (${result.error.kind})`;
  return `vulnerable (${result.complexity.summary}: ${result.attack.pattern})`;
}

function hasNativeChecker(): boolean {
  const platform = { darwin: 'macos', linux: 'linux', win32: 'windows' }[process.platform as string];
  try {
    createRequire(import.meta.url).resolve(`recheck-${platform}-${process.arch}/package.json`);
    return true;
  } catch {
    return false;
  }
}
