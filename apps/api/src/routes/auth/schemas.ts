import type { CurrentUser, IssuedToken, Project } from '@gateway/views';
import Joi from 'joi';
import { DEFAULT_DOMAIN } from '../../auth/log-in-name.ts';
import type { SessionInfo } from '../../auth/sessions.ts';
import { idField, listOf, shape, text, timestamp } from '../../http/schemas/fields.ts';

export interface LoginBody {
  username: string;
  password: string;
  project_name?: string;
  domain_name: string;
}

export const loginBody = Joi.object<LoginBody, true>({
  username: Joi.string().min(1).max(255).required(),
  password: Joi.string().min(1).max(4096).required(),
  project_name: Joi.string().min(1).max(255),
  domain_name: Joi.string().min(1).max(255).default(DEFAULT_DOMAIN),
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
