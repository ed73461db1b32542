import { endpoint } from '../../pipeline/endpoint.ts';
import { cloudsYaml } from './clouds-yaml.ts';
import { readCloudsYaml, readOpenrc } from './handlers.ts';
import { openrc } from './openrc.ts';
import { cloudFileQuery } from './schemas.ts';

const tag = { name: 'cloud files', description: 'Files for the command line tools of the cloud' };

const EXAMPLE = {
  authUrl: 'https://identity.example.org/v3',
  region: 'RegionOne',
  userName: 'demo',
  userDomainName: 'Default',
  projectId: '6f1c0c1e5a2b4c399a380f8d0f3f2a51',
  projectName: 'demo',
  projectDomainName: 'Default',
};

export const cloudFileEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/auth/clouds.yaml',
    tag,
    summary: 'A clouds.yaml for the project',
    description: 'Without a password or secret.',
    access: 'token',
    query: cloudFileQuery,
    produces: 'application/yaml',
    exampleText: cloudsYaml(EXAMPLE),
    handler: readCloudsYaml,
  }),
  endpoint({
    method: 'GET',
    path: '/api/auth/openrc',
    tag,
    summary: 'An openrc file for the project',
    description: 'For bash. It asks for the password or the secret.',
    access: 'token',
    query: cloudFileQuery,
    produces: 'text/x-shellscript; charset=utf-8',
    exampleText: openrc(EXAMPLE),
    handler: readOpenrc,
  }),
];
