import { conflict, forbidden, notFound } from '@gateway/core';
import { isGatewayRule } from '@gateway/libraries';
import { type AccessRuleRecord, isConflict } from '@gateway/openstack';
import {
  type AccessRule,
  fileStorageActions,
  presentAccessRule,
  RULES_OF_PREBUILT,
  toServiceAccessType,
} from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireAction, requirePermission } from '../../resources/require-action.ts';
import { checkAccessRule } from './check-access-rule.ts';
import { type FoundShare, findShare } from './find-share.ts';
import type { AccessRuleBody } from './schemas.ts';

type ShareRequest<Body = unknown> = RequestContext<{ file_storage_id: string }, unknown, Body>;

export async function listAccessRules(request: ShareRequest): Promise<AccessRule[]> {
  const { share } = await findOwnShare(request, request.params.file_storage_id);
  return (await request.openstack.sharedFileSystem.accessRules.list(share.id)).map(presentAccessRule);
}

export async function createAccessRule(request: ShareRequest<AccessRuleBody>): Promise<AccessRule> {
  const { body, openstack, params } = request;
  const { share } = await findOwnShare(request, params.file_storage_id);
  requirePermission(request, fileStorageActions.add_access_rule, share);
  checkAccessRule(share, body);
  requireAction(request, fileStorageActions.add_access_rule, share);
  try {
    const rule = await openstack.sharedFileSystem.accessRules.allow(share.id, {
      access_type: toServiceAccessType(body.access_type),
      access_to: body.access_to,
      access_level: body.access_level,
    });
    return presentAccessRule(rule);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await openstack.sharedFileSystem.shares.get(share.id);
    requireAction(request, fileStorageActions.add_access_rule, current);
    throw error;
  }
}

export async function deleteAccessRule(
  request: RequestContext<{ file_storage_id: string; access_id: string }>,
): Promise<void> {
  const { openstack, params } = request;
  const { share } = await findOwnShare(request, params.file_storage_id);
  requireAction(request, fileStorageActions.remove_access_rule, share);
  const rules: AccessRuleRecord[] = await openstack.sharedFileSystem.accessRules.list(share.id);
  const rule = rules.find(({ id }) => id === params.access_id);
  if (rule === undefined) throw notFound('There is no such access rule of this file storage.');
  if (isGatewayRule(rule)) {
    throw conflict(
      'protected',
      'The access rule belongs to an instance and is removed when the instance is deleted.',
    );
  }
  await openstack.sharedFileSystem.accessRules.deny(share.id, rule.id);
}

/** The rules of a prebuilt share belong to instances of all projects. */
async function findOwnShare(request: ShareRequest, id: string): Promise<FoundShare> {
  const found = await findShare(request, id);
  if (found.share.project_id !== request.caller.identity.projectId) throw forbidden(RULES_OF_PREBUILT);
  return found;
}
