import { jobDescription } from '@gateway/core';
import { ingressRules, securityGroupName } from '@gateway/lite';
import { descriptionOf, isConflict, nullIfNotFound } from '@gateway/openstack';
import { requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { announce, type CreateLiteClusterStepContext, defineCreateStep } from '../saga.ts';

/** The group of all nodes. Its rollback succeeds once no port uses the group any more. */
export const createSecurityGroup = defineCreateStep<{ securityGroupId: string }>({
  name: 'security-group',
  beginUpdate: announce('security_group', 'The security group is being created.'),
  async run(context) {
    const cluster = await requireLiteCluster(context);
    const { id } = await context.owner().network.securityGroups.create({
      name: securityGroupName(cluster),
      description: jobDescription(context.jobId),
    });
    return { securityGroupId: id };
  },
  async find({ jobId, projectId, remover }) {
    const description = jobDescription(jobId);
    const groups = await remover().network.securityGroups.list({ project_id: projectId });
    return groups
      .filter((group) => group.project_id === projectId && descriptionOf(group) === description)
      .map(({ id }) => ({ securityGroupId: id }));
  },
  async undo({ remover }, { securityGroupId }) {
    await nullIfNotFound(remover().network.securityGroups.remove(securityGroupId));
  },
  leftover: ({ securityGroupId }) => ({ type: 'security_group', id: securityGroupId }),
});

/** The rules are deleted with their group. */
export const addSecurityRules = defineCreateStep<{ rulesAdded: boolean }>({
  name: 'security-rules',
  onRepeat: 'adopts',
  async run(context) {
    const { allowedFrom } = context.config.lite;
    const { subnetCidrs } = requireState(context, 'plan');
    const rules = ingressRules({
      subnetCidrs,
      allowedFrom,
      hasKeyPair: context.input.keyName !== null,
    });
    for (const rule of rules) await addRule(context, rule);
    return { rulesAdded: true };
  },
});

async function addRule(
  context: CreateLiteClusterStepContext,
  { ethertype, protocol, ports, from }: ReturnType<typeof ingressRules>[number],
): Promise<void> {
  const groupId = requireState(context, 'securityGroupId');
  try {
    await context.owner().network.securityGroupRules.create({
      security_group_id: groupId,
      direction: 'ingress',
      ethertype,
      ...(protocol !== null && { protocol }),
      ...(ports !== null && { port_range_min: ports.from, port_range_max: ports.to }),
      ...(from === null ? { remote_group_id: groupId } : { remote_ip_prefix: from }),
    });
  } catch (error) {
    // The group has the rule already.
    if (!isConflict(error)) throw error;
  }
}
