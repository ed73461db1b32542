import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A vulnerability that is known and accepted for a time. */
interface AuditException {
  /** The id of the advisory, such as `GHSA-xxxx-xxxx-xxxx`. */
  id: string;
  reason: string;
  /** The last day, such as `2027-01-31`. */
  until: string;
}

interface AuditReport {
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>;
}

interface Advisory {
  url: string;
  title: string;
  severity: string;
}

export interface AuditResult {
  /** `unknown` if the registry does not answer. */
  state: 'none' | 'found' | 'unknown';
  /** A sentence for each vulnerability. */
  message: string;
}

const SEVERE = ['high', 'critical'];

/**
 * Asks the registry for vulnerabilities of the level high or above in the locked packages, and leaves out
 * those that `audit-exceptions.yaml` accepts today.
 */
export async function audit(folder: string): Promise<AuditResult> {
  const report = await npmAudit(folder);
  if (report.vulnerabilities === undefined) {
    return {
      state: 'unknown',
      message: 'The package registry does not say whether packages are vulnerable.',
    };
  }
  const accepted = readExceptions(folder);
  const found = new Map<string, string>();
  for (const [name, { via }] of Object.entries(report.vulnerabilities)) {
    for (const advisory of via) {
      // A name stands for the advisories of another package.
      if (typeof advisory === 'string' || !SEVERE.includes(advisory.severity)) continue;
      const id = advisory.url.split('/').at(-1) ?? advisory.url;
      if (!accepted.has(id)) found.set(id, `${name}: ${advisory.title} (${advisory.severity}, ${id})`);
    }
  }
  if (found.size === 0) return { state: 'none', message: 'No locked package is known to be vulnerable.' };
  return { state: 'found', message: [...found.values()].sort().join('\n') };
}

/** npm exits with 1 if it has found something, and prints no report if the registry does not answer. */
function npmAudit(folder: string): Promise<AuditReport> {
  const args = ['audit', '--json', '--package-lock-only', '--audit-level', 'high'];
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as AuditReport);
      } catch {
        resolve({});
      }
    });
  });
}

/** The ids of the exceptions that hold today. */
function readExceptions(folder: string): Set<string> {
  const today = new Date().toISOString().slice(0, 10);
  const text = readFileSync(join(folder, 'scripts/audit/audit-exceptions.yaml'), 'utf8');
  const { exceptions } = parse(text) as { exceptions: AuditException[] };
  return new Set(exceptions.filter(({ until }) => until >= today).map(({ id }) => id));
}
