import Joi from 'joi';
import type { ExpiredPassword } from '../../auth/change-expired-password.ts';
import type { CredentialLogIn, PasscodeLogIn, PasswordLogIn } from '../../auth/log-in.ts';
import { idField, passwordField } from '../../http/schemas/fields.ts';

/** Required without a receipt and without an application credential. */
const ofPassword = (field: Joi.StringSchema) =>
  field.when('receipt', {
    is: Joi.exist(),
    otherwise: field.when('application_credential', { is: Joi.exist(), otherwise: Joi.required() }),
  });

export interface CookieChoice {
  use_cookie?: boolean;
}

export const useCookieField = () =>
  Joi.boolean().description(
    'Puts the session into a cookie in place of the response, for pages of the same origin, if the gateway is configured so.',
  );

export type LoginBody = (PasswordLogIn | PasscodeLogIn | CredentialLogIn) & CookieChoice;

const domainField = () => Joi.string().min(1).max(255);

const domainNameField = (whose: string) =>
  domainField().description(`The name of the domain ${whose}; by default \`Default\`.`);

const userDomainField = () =>
  domainField().description('The name or the id of the domain of the user, in place of `domain_name`.');

/**
 * Names the fields of both steps of a log-in, and of one with an application credential. The fields of the
 * first step are ignored in the second, and beside an application credential.
 */
export const loginBody = Joi.object<LoginBody>({
  username: ofPassword(Joi.string().min(1).max(255)),
  password: ofPassword(passwordField()),
  project_name: Joi.string().min(1).max(255),
  domain_name: domainNameField('of user and project'),
  user_domain: userDomainField(),
  project_domain: domainField().description(
    'The name or the id of the domain of the project; by default `domain_name`, or else that of the user.',
  ),
  receipt: Joi.string()
    .min(1)
    .max(8192)
    .description('From a 401 `totp_required`, in place of user name, password, project and domain.'),
  passcode: Joi.string()
    .pattern(/^\d{6}$/)
    .description('The one-time passcode (TOTP), with a receipt.')
    .when('receipt', { not: Joi.exist(), otherwise: Joi.required() }),
  application_credential: Joi.object({
    id: idField().required(),
    secret: passwordField().required(),
  }).description('For programs, in place of user name, password, project and domain.'),
  use_cookie: useCookieField(),
})
  .meta({ example: () => ({ username: 'demo', password: 'demo-secret' }) })
  .required();

export const expiredPasswordBody = Joi.object<ExpiredPassword, true>({
  username: Joi.string().min(1).max(255).required(),
  domain_name: domainNameField('of the user'),
  user_domain: userDomainField(),
  current_password: passwordField().required().description('The one that has expired.'),
  new_password: passwordField().required(),
}).required();

export interface ScopeBody {
  project_id: string;
}

export const scopeBody = Joi.object<ScopeBody, true>({ project_id: idField().required() }).required();
