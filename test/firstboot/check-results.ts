/** The result of one check. */
export interface CheckResult {
  ok: boolean;
  /** The output of a failed check. */
  detail: string;
}

/** Parses the lines `ok key` and `FAIL key: detail` of the checks. Results by boot (from 1) and key. */
export function checkResults(output: string): Map<number, Map<string, CheckResult>> {
  const results = new Map<number, Map<string, CheckResult>>();
  let boot = 0;
  for (const line of output.split('\n')) {
    boot = Number(/^== boot (\d+): guest answers/.exec(line)?.[1] ?? boot);
    const match = /^(ok|FAIL) ([\w-]+)(?:: (.*))?$/.exec(line);
    if (match === null) continue;
    const ofBoot = results.get(boot) ?? new Map<string, CheckResult>();
    results.set(boot, ofBoot);
    // A key that occurs twice must succeed twice.
    const earlier = ofBoot.get(match[2] ?? '');
    if (earlier?.ok !== false) ofBoot.set(match[2] ?? '', { ok: match[1] === 'ok', detail: match[3] ?? '' });
  }
  return results;
}
