import { GatewayError } from './errors.ts';

/** How a kind of value is stored. */
interface StoredForm {
  /** For people, in the singular. */
  readonly name: string;
  readonly version: number;
  /** Turns a value of the version before into one of this version. Absent in version 1. */
  readonly fromBefore?: (value: Fields) => Fields;
}

type Fields = Record<string, unknown>;

/** The field with the version. */
const FIELD = 'form';
const RETRY_AFTER_SECONDS = 5;

/**
 * Everything that is stored with fields, and the contents of sealed texts that clients keep. A change that
 * the release before can ignore, such as another field, keeps the version. Any other change raises it, adds
 * `fromBefore`, and is written only by a release whose predecessor has the same version in its list.
 *
 * Not here: cached lists (`packages/cache/src/entry.ts`) and events of jobs and projects (`job-events.ts` and
 * `change-entry.ts` in `packages/jobs`), which have a character for it, and sealed texts (`Sealer`), which
 * begin with their version. The form of indexes, counters and locks is their key: another form gets another
 * key.
 */
export const storedForms = {
  auditEvent: { name: 'audit event', version: 1 },
  auditRecord: { name: 'audit record', version: 1 },
  autoBackup: { name: 'auto backup', version: 1 },
  credential: { name: 'stored credential', version: 1 },
  delegation: { name: 'delegation', version: 1 },
  firstBoot: { name: 'state of a first boot', version: 1 },
  gpuLimit: { name: 'GPU quota', version: 1 },
  healthResult: { name: 'result of a health check', version: 1 },
  historyJob: { name: 'job in a history', version: 1 },
  historyRequest: { name: 'request in a history', version: 1 },
  idempotentResponse: { name: 'response for an idempotency key', version: 1 },
  intent: { name: 'intent', version: 1 },
  jobDurations: { name: 'durations of a job', version: 1 },
  /** What a queue holds, and the copy of it in the job's record. */
  job: { name: 'job', version: 1 },
  jobRecord: { name: 'record of a job', version: 1 },
  journalEntry: { name: 'entry of a journal', version: 1 },
  liteCluster: { name: 'record of a lite cluster', version: 1 },
  listedSession: { name: 'listed session', version: 1 },
  logInReceipt: { name: 'log-in receipt', version: 1 },
  machineReport: { name: 'report of a machine', version: 1 },
  nearlyFullQuota: { name: 'quota that is nearly full', version: 1 },
  outboxEntry: { name: 'entry of the outbox', version: 1 },
  readOnlyMode: { name: 'read-only mode', version: 1 },
  session: { name: 'session', version: 1 },
  signOn: { name: 'single sign-on', version: 1 },
  sweep: { name: 'sweep of a job', version: 1 },
  validatedToken: { name: 'validated token', version: 1 },
  webhook: { name: 'webhook', version: 1 },
  webhookDelivery: { name: 'delivery of a webhook', version: 1 },
} satisfies Record<string, StoredForm>;

/**
 * A newer release has stored this. Whoever meets it leaves it as it is: processes of that release know it.
 * An own status is not needed: for clients it is an outage of the store for this process.
 */
export class NewerFormError extends GatewayError {
  constructor(what: string) {
    super(503, 'store_unavailable', 'A newer version of the gateway has stored this. Please try again.', {
      cause: new Error(`Only a newer version of the gateway knows this form: ${what}.`),
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
    this.name = 'NewerFormError';
  }
}

/** The value with its version. */
export function toStored<T extends object>(form: StoredForm, value: T): T {
  return { [FIELD]: form.version, ...value };
}

/**
 * The value in the current version, without the number.
 * @throws NewerFormError
 */
export function fromStored<T extends object>(form: StoredForm, stored: T): T {
  const { [FIELD]: version, ...value } = stored as Fields;
  if (Number(version) === form.version) return value as T;
  if (!(Number(version) < form.version) || form.fromBefore === undefined) {
    throw new NewerFormError(`${form.name}, ${version}`);
  }
  return form.fromBefore(value) as T;
}

export function formatStored(form: StoredForm, value: object): string {
  return JSON.stringify(toStored(form, value));
}

/** @throws NewerFormError */
export function parseStored<T extends object>(form: StoredForm, text: string): T {
  return fromStored(form, JSON.parse(text) as T);
}
