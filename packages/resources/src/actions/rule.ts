import { type ConflictReason, conflict, type ErrorParams, forbidden, type GatewayError } from '@gateway/core';
import { ifItStays } from './if-it-stays.ts';

/** The rights of a caller that the rules depend on. */
export interface Actor {
  isAdministrator: boolean;
  mayChange: boolean;
}

/**
 * Why a subject does not allow an action, as the rest of a sentence such as ": its status is ACTIVE". Its
 * state, unless another reason stands before the words.
 */
export type Against = string | readonly [reason: ConflictReason, words: string];

/**
 * When a resource allows an action. Handlers refuse by the rule, and rows name the actions that it allows and
 * that are not needless. A rule decides by the resource's own record: other reasons, such as a quota, are not
 * in the rows.
 */
export interface ActionRule<Subject> {
  /** As in the document of the interface, such as `POST /api/instances/{instance_id}/start`. */
  endpoint: string;
  /** The fields of the request's body that make it this action, where the endpoint has several. */
  with?: Readonly<Record<string, string>>;
  /** The beginning of the sentence for a refusal, such as "The instance cannot be started". */
  refusal: string;
  /** Why the subject does not allow the action now; null if it does. */
  reasonAgainst(subject: Subject, actor: Actor): Against | null;
  /** Why this caller may not do it to this subject, as a sentence; null if the caller may. */
  forbids?(subject: Subject, actor: Actor): string | null;
  /**
   * Whether the action would change nothing, or has nothing to act on, such as the release of floating IPs
   * without one. Rows leave it out. Handlers do not refuse it, because a repeated request is no error.
   */
  isNeedless?(subject: Subject): boolean;
  /** Whether the state that forbids the action usually ends by itself. */
  isInTransition?(subject: Subject): boolean;
  /** The error of the refusal; a 409 `conflict` by default, and if it is null. */
  makeError?(detail: string, subject: Subject): GatewayError | null;
  /** True for an action that reads only, which needs no right to change the project. */
  isReading?: boolean;
}

const READERS_REFUSED = 'This requires a role that may change the project.';

/** Of resources on which the caller cannot act, such as those of other projects. */
export const NOBODY: Actor = { isAdministrator: false, mayChange: false };

/** The actions that the subject offers this caller now, in the order of the rules. */
export function allowedActions<Subject, Name extends string>(
  rules: Readonly<Record<Name, ActionRule<Subject>>>,
  subject: Subject,
  actor: Actor,
): Name[] {
  const allowed: Name[] = [];
  for (const name in rules) {
    const rule = rules[name];
    if (isAllowed(rule, subject, actor) && rule.isNeedless?.(subject) !== true) allowed.push(name);
  }
  return allowed;
}

function isAllowed<Subject>(rule: ActionRule<Subject>, subject: Subject, actor: Actor): boolean {
  if (!isGranted(rule, actor) || (rule.forbids?.(subject, actor) ?? null) !== null) return false;
  return rule.reasonAgainst(subject, actor) === null;
}

/** @throws 403 for a caller who may not do it, whatever the state of the subject */
export function requirePermitted<Subject>(rule: ActionRule<Subject>, subject: Subject, actor: Actor): void {
  if (!isGranted(rule, actor)) throw forbidden(READERS_REFUSED);
  const prohibition = rule.forbids?.(subject, actor) ?? null;
  if (prohibition !== null) throw forbidden(prohibition);
}

/**
 * @throws 403 for a caller who may not do it; 409 with the reason if the state of the subject forbids it. The
 * service decides again, because the state may change meanwhile.
 */
export function requireAllowed<Subject>(rule: ActionRule<Subject>, subject: Subject, actor: Actor): void {
  requirePermitted(rule, subject, actor);
  const against = rule.reasonAgainst(subject, actor);
  if (against === null) return;
  const [reason, words] = typeof against === 'string' ? (['wrong_state', against] as const) : against;
  const params = stateOf(subject);
  const hint = ifItStays(rule.isInTransition?.(subject) ?? false, params?.state);
  const detail = `${rule.refusal}${words}.${hint}`;
  throw rule.makeError?.(detail, subject) ?? conflict(reason, detail, { params });
}

/** Most records name their state so. */
function stateOf(subject: unknown): ErrorParams | undefined {
  const { status } = subject as { status?: unknown };
  return typeof status === 'string' ? { state: status } : undefined;
}

function isGranted({ isReading = false }: ActionRule<never>, { mayChange }: Actor): boolean {
  return isReading || mayChange;
}
