import { GatewayError, toTimestamp, unauthorized } from '@gateway/core';
import {
  type ApplicationCredentialLogin,
  type AuthReceipt,
  type CallContext,
  type Identity,
  type Openstack,
  RECEIPT_INVALID,
  refuseAccessRules,
  UpstreamError,
} from '@gateway/openstack';
import { inFirstProject } from './first-project.ts';
import { type DomainFields, domainsOf, textOf } from './log-in-domains.ts';
import type { LogInReceipt, SealedTickets } from './sealed-tickets.ts';
import type { UsedPasscodes } from './used-passcodes.ts';

/** The first step of a log-in. */
export interface PasswordLogIn extends DomainFields {
  username: string;
  password: string;
  /** Undefined for the user's default project, or else their first enabled project by name. */
  project_name?: string;
  receipt?: undefined;
  application_credential?: undefined;
}

/** The second step, for users who need a passcode. The names are in the receipt. */
export interface PasscodeLogIn {
  /** Sealed. */
  receipt: string;
  passcode: string;
}

/** Of a program. */
export interface CredentialLogIn {
  application_credential: ApplicationCredentialLogin;
  receipt?: undefined;
}

interface LogInParts {
  openstack: Openstack;
  sealedTickets: SealedTickets;
  usedPasscodes: UsedPasscodes;
}

/** A user who has logged in, and the names of the first step; for a program, those of its user. */
interface LoggedIn {
  identity: Identity;
  username: string;
  /** Or the id of the domain. */
  domainName: string;
  /** With which a program has logged in. */
  credential?: ApplicationCredentialLogin;
}

type Names = Pick<LogInReceipt, 'username' | 'domainName' | 'projectName' | 'projectDomain'>;

/** The identity service refuses the credentials, or something that they name. */
const REFUSALS = [401, 403, 404];
/** The methods that the gateway offers after the password. */
const OFFERED = ['totp'];

/**
 * Gets a token for a user name and password, for a receipt and passcode, or for an application credential.
 * All wrong credentials of a step give the same error, which must not reveal which users, projects or domains
 * exist (decision 34). A request that the service refuses as invalid keeps the service's reason.
 * @throws `totp_required`, with a receipt, if the user needs a passcode as well
 */
export function logIn(
  parts: LogInParts,
  request: PasswordLogIn | PasscodeLogIn | CredentialLogIn,
  call: CallContext,
): Promise<LoggedIn> {
  if (request.receipt !== undefined) return byPasscode(parts, request, call);
  return request.application_credential === undefined
    ? byPassword(parts, request, call)
    : byCredential(parts, request.application_credential, call);
}

async function byCredential(
  { openstack }: LogInParts,
  credential: ApplicationCredentialLogin,
  call: CallContext,
): Promise<LoggedIn> {
  try {
    const identity = await openstack.identity.authenticateApplicationCredential(credential, call);
    refuseAccessRules(identity);
    return { identity, username: identity.userName, domainName: identity.userDomainName, credential };
  } catch (error) {
    if (!areCredentialsWrong(error) || !(error instanceof UpstreamError)) throw error;
    throw unauthorized('The id or the secret of the application credential is wrong.', { cause: error });
  }
}

async function byPassword(parts: LogInParts, request: PasswordLogIn, call: CallContext): Promise<LoggedIn> {
  const { password, project_name: projectName, username } = request;
  const { project: projectDomain, user: domain } = domainsOf(request);
  const names = { username, domainName: textOf(domain), projectName, projectDomain };
  let result: Identity | AuthReceipt;
  try {
    const credentials = { username, password, domain, project: projectOf(names) };
    result = await parts.openstack.identity.logIn(credentials, call);
  } catch (error) {
    if (areCredentialsWrong(error)) {
      throw unauthorized('The user name, password, domain or project is wrong.', { cause: error });
    }
    throw error;
  }
  return loggedIn(parts, names, result, call);
}

async function byPasscode(parts: LogInParts, request: PasscodeLogIn, call: CallContext): Promise<LoggedIn> {
  const { openstack, sealedTickets, usedPasscodes } = parts;
  const { passcode } = request;
  const opened = sealedTickets.open('log-in-receipt', request.receipt);
  if (opened === null) throw invalidReceipt();
  const { projectName, receipt, userId } = opened;
  const used = await usedPasscodes.claim(userId, passcode);
  if (used === null) {
    throw wrongPasscode('The passcode has been used. Please wait for the next one.');
  }
  let result: Identity | AuthReceipt;
  try {
    const project = projectOf(opened);
    result = await openstack.identity.continueLogIn({ receipt, userId, passcode, project }, call);
  } catch (error) {
    await usedPasscodes.release(used);
    if (error instanceof GatewayError && error.code === RECEIPT_INVALID) throw invalidReceipt(error);
    if (!areCredentialsWrong(error)) throw error;
    // The service checks the passcode first, and answers the same if the user has no role in the project.
    const other = projectName === undefined ? '' : ', or you have no access to the project';
    throw wrongPasscode(`The passcode is wrong${other}.`, error);
  }
  return loggedIn(parts, opened, result, call);
}

/** @throws unless the user has proven enough */
async function loggedIn(
  { openstack, sealedTickets }: LogInParts,
  { username, domainName, projectName, projectDomain }: Names,
  result: Identity | AuthReceipt,
  call: CallContext,
): Promise<LoggedIn> {
  if ('receipt' in result) {
    throw needsMore(sealedTickets, { username, domainName, projectName, projectDomain }, result);
  }
  const identity = result.projectId === '' ? await inFirstProject(openstack, result, call) : result;
  return { identity, username, domainName };
}

function needsMore(
  sealedTickets: SealedTickets,
  names: Names,
  { expiresAt, methods, receipt, requiredMethods, userId }: AuthReceipt,
): GatewayError {
  const missing = requiredMethods.map((rule) => rule.filter((method) => !methods.includes(method)));
  const possible = missing.find((rule) => rule.length > 0 && rule.every((one) => OFFERED.includes(one)));
  if (possible === undefined) {
    const others = new Set(missing.flat().filter((method) => !OFFERED.includes(method)));
    const what = others.size === 0 ? 'other methods than the password' : [...others].join(' or ');
    const detail = `The identity service requires ${what} for this log-in, which the gateway does not offer.`;
    return new GatewayError(403, 'auth_method_unsupported', detail);
  }
  return new GatewayError(401, 'totp_required', 'The log-in needs a one-time passcode as well.', {
    unfinishedLogIn: {
      receipt: sealedTickets.seal('log-in-receipt', { ...names, receipt, userId }, Date.parse(expiresAt)),
      receipt_expires_at: toTimestamp(expiresAt) ?? '',
      missing_methods: possible,
    },
  });
}

function projectOf({ projectDomain, projectName }: Names) {
  return projectName === undefined ? undefined : { name: projectName, domain: projectDomain };
}

/** Whether credentials are wrong. Other codes say what the user can do. */
export function areCredentialsWrong(error: unknown): error is GatewayError {
  return (
    error instanceof GatewayError &&
    REFUSALS.includes(error.status) &&
    ['unauthorized', 'forbidden', 'not_found'].includes(error.code)
  );
}

function invalidReceipt(cause?: unknown): GatewayError {
  const detail = 'The receipt is unknown or has expired. Please log in with the password again.';
  return new GatewayError(401, 'invalid_receipt', detail, { cause });
}

function wrongPasscode(detail: string, cause?: unknown): GatewayError {
  return new GatewayError(401, 'wrong_passcode', detail, { cause });
}
