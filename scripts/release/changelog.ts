const UNRELEASED = '## Unreleased';

/**
 * The text of CHANGELOG.md in which the unreleased section is that of the version, below a new empty one.
 *
 * @param date such as `2026-11-24`
 * @throws if the section is missing or empty
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  if (unreleasedChanges(text) === '') throw new Error('CHANGELOG.md has no unreleased changes.');
  return text.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} - ${date}`);
}

function unreleasedChanges(text: string): string {
  const [, after] = text.split(`\n${UNRELEASED}\n`);
  return (after ?? '').split(/^## /m)[0]?.trim() ?? '';
}
