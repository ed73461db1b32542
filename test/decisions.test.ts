import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './support/source/workspaces.ts';

const STATUS =
  /^Status: (?:accepted|superseded by (?<superseded>\d+)), \d{4}-\d\d-\d\d(?:; amends (?<amends>\d[\d, ]*))?(?:; amended by (?<amended>\d[\d, ]*))?$/m;

/** `decision 15`, `decisions 15 and 16`, also across the lines of a comment. */
const REFERENCE = /\bdecisions? ?\n?[ *#/]*(\d+(?:,? (?:and )?\d+)*)/gi;

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const records = tracked
  .filter((file) => /^docs\/decisions\/\d/.test(file))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const { superseded, amends, amended } = STATUS.exec(text)?.groups ?? {};
    return {
      number: Number(basename(file).split('-')[0]),
      file: basename(file),
      title: /^# (.*)/.exec(text)?.[1] ?? '',
      hasStatus: STATUS.test(text),
      amends: numbersIn(amends),
      amendedBy: numbersIn(amended),
      supersededBy: numbersIn(superseded),
    };
  });
const known = new Map(records.map((record) => [record.number, record]));

function numbersIn(text = ''): number[] {
  return [...text.matchAll(/\d+/g)].map(Number);
}

describe('the decisions', () => {
  it('are in the index exactly once, with title and sentence', () => {
    const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
    const entries = [...index.matchAll(/^- \[(.*)\]\((.*)\) {2}\n {2}\S/gm)].map(
      ([, title, file]) => `${file}: ${title}`,
    );

    assert.deepEqual(entries.toSorted(), records.map(({ file, title }) => `${file}: ${title}`).toSorted());
  });

  it('have the number of their file and a status', () => {
    const wrong = records.filter(
      ({ number, title, hasStatus }) => !hasStatus || !title.startsWith(`${number}. `),
    );

    assert.deepEqual(
      wrong.map(({ file }) => file),
      [],
    );
  });

  it('name each other where one amends another', () => {
    const oneSided = records.flatMap(({ number, amends, amendedBy, supersededBy }) => [
      ...amends.filter((other) => !known.get(other)?.amendedBy.includes(number)),
      ...amendedBy.filter((other) => !known.get(other)?.amends.includes(number)),
      ...supersededBy.filter((other) => !known.has(other)),
    ]);

    assert.deepEqual(oneSided, []);
  });

  it('exist wherever code or documents name one', () => {
    const texts = tracked.filter((file) => /\.(?:ts|sh|md|ya?ml)$/.test(file) && !file.includes('fixtures/'));
    const missing = texts.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(REFERENCE)]
        .flatMap(([, numbers]) => numbersIn(numbers))
        .filter((number) => !known.has(number))
        .map((number) => `${file}: ${number}`),
    );

    assert.deepEqual(missing, []);
  });
});
