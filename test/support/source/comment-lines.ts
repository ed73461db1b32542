import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspaces.ts';

interface CommentLine {
  /** `<file>:<line>` */
  place: string;
  /** The whole line. */
  line: string;
  /** The comment without its marker and without code in backticks. */
  prose: string;
}

/** A line that is only a comment, or the comment after code. Strings can contain `//` only after a colon. */
const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/|#)(?:\s(?<whole>.*))?$|[^:]\/\/ (?<trailing>.*)$/;

const KINDS = ['*.ts', '*.js', '*.css', '*.html', '*.sh', '*.service', '*.yaml', '*.yml', '.ci/run'];
const RECORDED = ['test/fixtures/', 'test/contract/'];

/** The comments of all files in git, except those of recordings. */
export function commentLines(): CommentLine[] {
  const tracked = execFileSync('git', ['ls-files', ...KINDS], { cwd: root, encoding: 'utf8' });
  return tracked
    .split('\n')
    .filter((file) => file !== '' && !RECORDED.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const { whole, trailing } = COMMENT.exec(line)?.groups ?? {};
          const text = whole ?? trailing;
          if (text === undefined) return [];
          return [{ place: `${file}:${index + 1}`, line, prose: text.replace(/`[^`]*`/g, '') }];
        }),
    );
}
