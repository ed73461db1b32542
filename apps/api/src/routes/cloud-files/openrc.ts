import type { CloudAccess } from './cloud-access.ts';

/** The variables that another file may have set. */
const CONFLICTING = [
  'OS_APPLICATION_CREDENTIAL_ID',
  'OS_APPLICATION_CREDENTIAL_SECRET',
  'OS_CLOUD',
  'OS_DOMAIN_ID',
  'OS_DOMAIN_NAME',
  'OS_PASSWORD',
  'OS_PROJECT_DOMAIN_ID',
  'OS_PROJECT_DOMAIN_NAME',
  'OS_PROJECT_ID',
  'OS_PROJECT_NAME',
  'OS_SYSTEM_SCOPE',
  'OS_TENANT_ID',
  'OS_TENANT_NAME',
  'OS_TOKEN',
  'OS_TRUST_ID',
  'OS_USERNAME',
  'OS_USER_DOMAIN_ID',
  'OS_USER_DOMAIN_NAME',
  'OS_USER_ID',
];

/** The text of a file for bash that sets the variables of the command line tools, and asks for the secret. */
export function openrc(access: CloudAccess): string {
  const variables = Object.entries(variablesOf(access)).map(
    ([name, value]) => `export ${name}=${quoted(value)}`,
  );
  const [secret, question] =
    access.credentialId === undefined
      ? ['OS_PASSWORD', `Password of ${access.userName} in ${access.projectName}: `]
      : ['OS_APPLICATION_CREDENTIAL_SECRET', `Secret of the application credential ${access.credentialId}: `];
  return `# For bash: source it, then use OpenStackClient. It has no secret, and asks for it.
unset ${CONFLICTING.join(' ')}
${variables.join('\n')}
read -rsp ${quoted(question)} ${secret} && echo
export ${secret}
`;
}

function variablesOf(access: CloudAccess): Record<string, string> {
  const { authUrl, credentialId, region, userDomainName, userName } = access;
  const { projectDomainName, projectId, projectName } = access;
  const common = {
    OS_AUTH_URL: authUrl,
    OS_REGION_NAME: region,
    OS_INTERFACE: 'public',
    OS_IDENTITY_API_VERSION: '3',
  };
  if (credentialId !== undefined) {
    return {
      ...common,
      OS_AUTH_TYPE: 'v3applicationcredential',
      OS_APPLICATION_CREDENTIAL_ID: credentialId,
    };
  }
  return {
    ...common,
    OS_AUTH_TYPE: 'v3password',
    OS_USERNAME: userName,
    OS_USER_DOMAIN_NAME: userDomainName,
    OS_PROJECT_ID: projectId,
    OS_PROJECT_NAME: projectName,
    OS_PROJECT_DOMAIN_NAME: projectDomainName,
  };
}

/** In single quotes, where the shell interprets nothing but the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
