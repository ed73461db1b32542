import type { CurrentUser, IssuedToken, Project } from '@gateway/views';
import Joi from 'joi';
import type { ExpiredPassword } from '../../auth/change-expired-password.ts';
import type { PasscodeLogIn, PasswordLogIn } from '../../auth/log-in.ts';
import { DEFAULT_DOMAIN } from '../../auth/log-in-name.ts';
import type { SessionInfo } from '../../auth/sessions.ts';
import { idField, listOf, shape, text, timestamp } from '../../http/schemas/fields.ts';

const FIRST_STEP = { is: Joi.exist(), otherwise: Joi.required() };

export type LoginBody = PasswordLogIn | PasscodeLogIn;

/** Names the fields of both steps of a log-in. The fields of the first are ignored in the second. */
export const loginBody = Joi.object<LoginBody>({
  username: Joi.string().min(1).max(255).when('receipt', FIRST_STEP),
  password: Joi.string().min(1).max(4096).when('receipt', FIRST_STEP),
  project_name: Joi.string().min(1).max(255),
  domain_name: Joi.string().min(1).max(255).default(DEFAULT_DOMAIN),
  receipt: Joi.string()
    .min(1)
    .max(8192)
    .description('From a 401 `totp_required`, in place of user name, password, project and domain.'),
  passcode: Joi.string()
    .pattern(/^\d{6}$/)
    .description('The one-time passcode (TOTP), with a receipt.')
    .when('receipt', { not: Joi.exist(), otherwise: Joi.required() }),
})
  .meta({ example: () => ({ username: 'demo', password: 'demo-secret' }) })
  .required();

export const expiredPasswordBody = Joi.object<ExpiredPassword, true>({
  username: Joi.string().min(1).max(255).required(),
  domain_name: Joi.string().min(1).max(255).default(DEFAULT_DOMAIN),
  current_password: Joi.string().min(1).max(4096).required().description('The one that has expired.'),
  new_password: Joi.string().min(1).max(4096).required(),
}).required();

export interface ScopeBody {
  project_id: string;
}

export const scopeBody = Joi.object<ScopeBody, true>({ project_id: idField().required() }).required();

export const tokenShape = shape<IssuedToken>('TokenResponse', {
  token: Joi.string().description('For the X-Auth-Token header.'),
  project_id: Joi.string(),
  project_name: Joi.string(),
  user_id: Joi.string(),
  username: Joi.string(),
  expires_at: timestamp(),
  roles: listOf(Joi.string()).description('Those held in the project.'),
  is_admin: Joi.boolean().description('Whether they make the user an administrator.'),
});

export const currentUserShape = shape<CurrentUser>('CurrentUser', {
  user_id: Joi.string(),
  username: Joi.string(),
  project_id: text(),
  project_name: text(),
  roles: listOf(Joi.string()),
});

export const projectShape = shape<Project>('Project', {
  id: Joi.string(),
  name: Joi.string(),
  description: text(),
  enabled: Joi.boolean(),
  domain_id: Joi.string(),
});

export const sessionInfoShape = shape<SessionInfo>('SessionInfo', {
  remaining_seconds: Joi.number().integer().min(0),
  timeout_seconds: Joi.number().integer(),
  warning_before_seconds: Joi.number().integer(),
  expires_at: timestamp(),
});
