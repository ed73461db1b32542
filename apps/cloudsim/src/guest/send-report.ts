import { FIRST_BOOT } from './plan.ts';
import type { Vm } from './vm.ts';

/** Sends a report with the machine's token to a URL in its plan. Returns null without a response. */
export function sendReport(
  vm: Vm,
  report: object,
  timeoutMs: number,
  urlName = 'report_url',
): Promise<number | null> {
  const { data, plan } = vm.machine;
  const body = { token: reportTokenOf(vm), ...report };
  const ca = data.files.get(`${FIRST_BOOT}/report-ca.pem`);
  return vm.post(plan.get(urlName) ?? '', body, timeoutMs, ca);
}

/** The token of the first-boot data, until another one replaces it. */
export function reportTokenOf({ machine: { data, reportToken } }: Vm): string {
  return reportToken ?? data.files.get(`${FIRST_BOOT}/report-token`)?.trim() ?? '';
}
