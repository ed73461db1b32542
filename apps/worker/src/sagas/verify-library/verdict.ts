import { cutText, trimEndChars } from '@gateway/core';
import type { LibraryVerdict, VerifiedPackage } from '@gateway/jobs';
import { type ExpectedPackage, normalisedName, type VerifierReport } from '@gateway/libraries';
import { maskSecrets } from '@gateway/platform';

/**
 * The stages at which a failure is one of the library, with the start of a sentence. At others the machine
 * has no programs or no disk, which says nothing about the library.
 */
const FAILURES: Record<string, string> = {
  layers: 'The file storage cannot be mounted',
  workspace: 'The layers cannot be combined',
  imports: 'The packages cannot be imported',
};

/** In characters. A library can have a thousand packages. */
const MAX_ERROR_LENGTH = 300;

/** More would make the sentence unreadable. */
const MAX_NAMED_PACKAGES = 3;

/** Whether the library works, after the verifier's final report; null if the report does not say it. */
export function verdictOf(
  report: VerifierReport,
  expected: readonly ExpectedPackage[],
): LibraryVerdict | null {
  if (report.success !== true) {
    if (!Object.hasOwn(FAILURES, report.stage)) return null;
    return { status: 'failed', message: failureAt(report), packages: [] };
  }
  const reported = new Map((report.packages ?? []).map((one) => [normalisedName(one.name), one]));
  const packages = expected.map((one): VerifiedPackage => {
    const {
      version = null,
      imported = false,
      error = 'the verifier has not reported it',
    } = reported.get(one.name) ?? {};
    const masked = error === null ? null : cutText(maskSecrets(error), MAX_ERROR_LENGTH);
    return { name: one.name, version, imported, error: masked ?? versionError(one, version) };
  });
  const broken = packages.filter(({ error }) => error !== null);
  return broken.length === 0
    ? { status: 'passed', message: 'The library works.', packages }
    : { status: 'failed', message: failed(broken), packages };
}

function versionError({ version: recorded }: ExpectedPackage, version: string | null): string | null {
  if (recorded === null || recorded === version) return null;
  return `the version is ${version}, and the record of the file storage says ${recorded}`;
}

function failureAt({ error, stage }: VerifierReport): string {
  const reason = trimEndChars(maskSecrets(error ?? ''), '. \t\r\n');
  return reason === '' ? `${FAILURES[stage]}.` : `${FAILURES[stage]}: ${reason}.`;
}

function failed(broken: readonly VerifiedPackage[]): string {
  const named = broken.slice(0, MAX_NAMED_PACKAGES).map(({ name, error }) => `${name} (${error})`);
  const more = broken.length - named.length;
  return `Packages that do not work: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
