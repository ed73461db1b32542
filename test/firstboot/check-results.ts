/** What a check found out about one thing. */
export interface Finding {
  ok: boolean;
  /** What was there instead. */
  detail: string;
}

/** What the checks told, by boot (from 1) and key: lines `ok key` and `FAIL key: detail`. */
export function findingsOf(output: string): Map<number, Map<string, Finding>> {
  const findings = new Map<number, Map<string, Finding>>();
  let boot = 0;
  for (const line of output.split('\n')) {
    boot = Number(/^== boot (\d+): guest answers/.exec(line)?.[1] ?? boot);
    const found = /^(ok|FAIL) ([\w-]+)(?:: (.*))?$/.exec(line);
    if (found === null) continue;
    const ofBoot = findings.get(boot) ?? new Map<string, Finding>();
    findings.set(boot, ofBoot);
    // A key that is told twice has to be right twice.
    const earlier = ofBoot.get(found[2] ?? '');
    if (earlier?.ok !== false) ofBoot.set(found[2] ?? '', { ok: found[1] === 'ok', detail: found[3] ?? '' });
  }
  return findings;
}
