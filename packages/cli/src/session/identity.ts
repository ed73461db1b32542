import type { LogIn } from '@gateway/client';
import type { Environment } from '../context.ts';

/** Who logs in, and to which project. A secret is missing until the user is asked. */
export interface Identity {
  username?: string | undefined;
  password?: string | undefined;
  userDomain?: string | undefined;
  project?: string | undefined;
  projectDomain?: string | undefined;
  applicationCredential?: string | undefined;
  applicationCredentialSecret?: string | undefined;
}

export function gatewayIdentity(env: Environment): Identity {
  return {
    username: env.GATEWAY_USERNAME,
    password: env.GATEWAY_PASSWORD,
    userDomain: env.GATEWAY_USER_DOMAIN,
    project: env.GATEWAY_PROJECT,
    projectDomain: env.GATEWAY_PROJECT_DOMAIN,
    applicationCredential: env.GATEWAY_APPLICATION_CREDENTIAL_ID,
    applicationCredentialSecret: env.GATEWAY_APPLICATION_CREDENTIAL_SECRET,
  };
}

/** The variables of an openrc file. */
export function openstackIdentity(env: Environment): Identity {
  return {
    username: env.OS_USERNAME,
    password: env.OS_PASSWORD,
    userDomain: env.OS_USER_DOMAIN_ID || env.OS_USER_DOMAIN_NAME,
    project: env.OS_PROJECT_NAME,
    projectDomain: env.OS_PROJECT_DOMAIN_ID || env.OS_PROJECT_DOMAIN_NAME,
    applicationCredential: env.OS_APPLICATION_CREDENTIAL_ID,
    applicationCredentialSecret: env.OS_APPLICATION_CREDENTIAL_SECRET,
  };
}

/** Whether it can log in without a question. */
export function isComplete(identity: Identity): boolean {
  return identity.applicationCredential
    ? Boolean(identity.applicationCredentialSecret)
    : Boolean(identity.username && identity.password);
}

export function logInBody(identity: Identity): LogIn {
  const { username = '', password = '', userDomain, project, projectDomain } = identity;
  if (identity.applicationCredential) {
    const secret = identity.applicationCredentialSecret ?? '';
    return { application_credential: { id: identity.applicationCredential, secret } };
  }
  return {
    username,
    password,
    ...(userDomain && { user_domain: userDomain }),
    ...(project && { project_name: project }),
    ...(projectDomain && { project_domain: projectDomain }),
  };
}
