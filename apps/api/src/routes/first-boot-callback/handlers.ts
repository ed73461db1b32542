import { conflict, forbidden } from '@gateway/core';
import { reportChanges } from '../../pipeline/report-changes.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { recordFirstBoot } from '../../resources/record-first-boot.ts';
import type { FirstBootReportBody } from './schemas.ts';

/** The token alone authenticates the instance. */
export async function receiveFirstBootReport(request: RequestContext<unknown, unknown, FirstBootReportBody>) {
  const { token, reason, ...report } = request.body;
  const { outcome, owner } = await request.app.firstBoots.accept(token, report);
  if (outcome === 'refused' || owner === null) {
    throw forbidden('The token is unknown or no longer valid.');
  }
  if (outcome === 'outdated')
    throw conflict('changed_meanwhile', 'A later report of this boot has been received.');
  if (outcome === 'accepted') {
    recordFirstBoot(request.app, owner, report, reason ?? '');
    await reportChanges(request, owner.projectId, ['instance']);
  }
  return { status: 'ok' as const };
}
