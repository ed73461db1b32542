import { listOf } from '@gateway/core/shapes';
import { projectNameList } from '@gateway/resources';
import { adminProjectShape, projectMemberShape, projectNameShape } from '@gateway/resources/shapes';
import { servesList } from '../../pipeline/cached-list.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { createProject, deleteProject, listMembers, listProjects, updateProject } from './handlers.ts';
import { previewPurge, startPurge } from './purge.ts';
import { purgePreviewShape, startedPurgeShape } from './purge-shapes.ts';
import { createProjectBody, projectPages, projectParams, updateProjectBody } from './schemas.ts';

export const adminProjectEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/projects',
    tag: adminTags.projects,
    summary: 'All projects of all domains, by name',
    access: 'admin',
    query: projectPages.query,
    response: projectPages.shape,
    handler: listProjects,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/projects/names',
    tag: adminTags.projects,
    summary: 'The names of all projects',
    access: 'admin',
    response: listOf(projectNameShape),
    ...servesList(projectNameList),
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/projects',
    tag: adminTags.projects,
    summary: 'Create a project',
    access: 'admin',
    body: createProjectBody,
    writes: { resource: 'project', as: 'created' },
    status: 201,
    response: adminProjectShape,
    errors: ['conflict', 'quota_exceeded'],
    handler: createProject,
  }),
  endpoint({
    method: 'PATCH',
    path: '/api/admin/projects/:project_id',
    tag: adminTags.projects,
    summary: 'Change a project',
    description:
      "With `enabled` false, tokens of the project stop working at once. Refused for the project of the caller's session.",
    access: 'admin',
    params: projectParams,
    body: updateProjectBody,
    writes: { resource: 'project', as: 'updated' },
    response: adminProjectShape,
    errors: ['conflict'],
    handler: updateProject,
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:project_id',
    tag: adminTags.projects,
    summary: 'Delete a project',
    description:
      'Refused, with the numbers, while the project owns anything, and with 502 while a service does not say what. A purge removes ' +
      "everything but images. Refused for the project of the caller's session.",
    access: 'admin',
    params: projectParams,
    writes: { resource: 'project', as: 'deleted' },
    status: 204,
    errors: ['conflict'],
    handler: deleteProject,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/projects/:project_id/purge',
    tag: adminTags.projects,
    summary: 'What a purge of the project removes',
    description: 'Its images stay, because other projects may use them.',
    access: 'admin',
    params: projectParams,
    response: purgePreviewShape,
    handler: previewPurge,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/projects/:project_id/purge',
    tag: adminTags.projects,
    summary: 'Delete a project with everything in it',
    description:
      'Starts a job, which disables the project, removes what the preview shows, and then the project. What it has removed cannot be ' +
      'restored: if the job fails, its last event says what remains, and the project is as enabled as before.',
    access: 'admin',
    params: projectParams,
    status: 202,
    response: startedPurgeShape,
    startsJob: 'project.purge',
    errors: ['conflict'],
    handler: startPurge,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/projects/:project_id/members',
    tag: adminTags.projects,
    summary: 'The roles of users and groups in a project',
    access: 'admin',
    params: projectParams,
    response: listOf(projectMemberShape),
    rows: { id: null, filters: { name: ['user_name'], type: ['type'] } },
    handler: listMembers,
  }),
];
