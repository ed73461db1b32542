import { type ActionRule, requireAllowed, requirePermitted } from '@gateway/resources';
import { actorOf } from '../auth/caller.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

/** @throws 403 for a caller who may not do it; 409 with the reason if the state of the subject forbids it */
export function requireAction<Subject>(
  { caller }: Pick<RequestContext, 'caller'>,
  rule: ActionRule<Subject>,
  subject: Subject,
): void {
  requireAllowed(rule, subject, actorOf(caller));
}

/** For what is checked before the state. @throws 403 for a caller who may not do it, whatever the state */
export function requirePermission<Subject>(
  { caller }: Pick<RequestContext, 'caller'>,
  rule: ActionRule<Subject>,
  subject: Subject,
): void {
  requirePermitted(rule, subject, actorOf(caller));
}
