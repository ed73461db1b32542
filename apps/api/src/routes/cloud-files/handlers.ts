import { invalidInput } from '@gateway/core';
import { publicIdentityUrl } from '@gateway/openstack';
import { Attachment } from '../../http/response/results.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { CloudAccess } from './cloud-access.ts';
import { cloudsYaml } from './clouds-yaml.ts';
import { openrc } from './openrc.ts';
import type { CloudFileQuery } from './schemas.ts';

type CloudFileRequest = RequestContext<unknown, CloudFileQuery>;

export async function readCloudsYaml(request: CloudFileRequest): Promise<Attachment> {
  return new Attachment('clouds.yaml', cloudsYaml(await readAccess(request)));
}

export async function readOpenrc(request: CloudFileRequest): Promise<Attachment> {
  return new Attachment('openrc.sh', openrc(await readAccess(request)));
}

/** The gateway may use an internal address of the identity service; that of the catalog is for everybody. */
async function readAccess({ app, caller, openstack, query }: CloudFileRequest): Promise<CloudAccess> {
  const { projectDomainName, projectId, projectName, userDomainName, userName } = caller.identity;
  const { region, url } = app.config.identity;
  if (projectId === '') throw invalidInput('The file is for one project. Please choose a project first.');
  const authUrl = publicIdentityUrl(await openstack.identity.catalog.mine(), { region }) ?? url;
  const credentialId = query.application_credential_id;
  const project = { projectId, projectName, projectDomainName };
  return { authUrl, region, userName, userDomainName, ...project, credentialId };
}
