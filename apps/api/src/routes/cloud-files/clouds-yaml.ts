import type { CloudAccess } from './cloud-access.ts';

/** The text of a `clouds.yaml`. Each value is a JSON string, which is one of YAML too. */
export function cloudsYaml(access: CloudAccess): string {
  const isProgram = access.credentialId !== undefined;
  const secret = isProgram ? 'application_credential_secret' : 'password';
  const lines = Object.entries(authOf(access)).map(
    ([key, value]) => `      ${key}: ${JSON.stringify(value)}`,
  );
  return `# For OpenStackClient and openstacksdk: ~/.config/openstack/clouds.yaml
# It has no secret. Put that into secure.yaml in the same folder, as ${secret} under auth of the same cloud.
clouds:
  ${JSON.stringify(access.projectName)}:
    auth_type: ${isProgram ? 'v3applicationcredential' : 'v3password'}
    auth:
${lines.join('\n')}
    region_name: ${JSON.stringify(access.region)}
    interface: public
    identity_api_version: 3
`;
}

function authOf(access: CloudAccess): Record<string, string> {
  const { authUrl, credentialId, projectDomainName, projectId, projectName, userDomainName, userName } =
    access;
  if (credentialId !== undefined) return { auth_url: authUrl, application_credential_id: credentialId };
  return {
    auth_url: authUrl,
    username: userName,
    user_domain_name: userDomainName,
    project_id: projectId,
    project_name: projectName,
    project_domain_name: projectDomainName,
  };
}
