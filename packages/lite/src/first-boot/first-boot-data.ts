import { firstBootParts, hostName, IMAGE_SETTINGS, urlHost } from '@gateway/cloud-init';
import { agentFiles } from './agent-files.ts';
import { controlNodeFiles } from './control-node-files.ts';
import type { AgentNodePlan, ControlNodePlan } from './plan.ts';

/**
 * The first-boot data (cloud-init user data) of a cluster's control node, as text for `encodeUserData`.
 * Contains the token of the callback, and the secrets in the plan's files and manifests.
 */
export function controlNodeFirstBootData(plan: ControlNodePlan, settings = IMAGE_SETTINGS): string {
  const directHosts = [plan.address, ...plan.tlsSans];
  return firstBootParts(
    hostName(plan.nodeName),
    controlNodeFiles(plan, settings.ntpServers),
    settings,
    directHosts,
  );
}

/**
 * The first-boot data (cloud-init user data) of a cluster's agent, as text for `encodeUserData`. Contains the
 * token with which it joins.
 */
export function agentNodeFirstBootData(plan: AgentNodePlan, settings = IMAGE_SETTINGS): string {
  const directHosts = [urlHost(plan.serverUrl)];
  return firstBootParts(
    hostName(plan.nodeName),
    agentFiles(plan, settings.ntpServers),
    settings,
    directHosts,
  );
}
