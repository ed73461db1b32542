import type { Step } from '../../saga/index.ts';
import { agentSteps } from '../lite-clusters/agent-steps.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from './saga.ts';
import { activateCluster } from './steps/activate.ts';
import { awaitNodes } from './steps/await-nodes.ts';
import { createCredential } from './steps/credential.ts';
import { createEncryptionKey } from './steps/encryption-key.ts';
import { createFloatingIp } from './steps/floating-ip.ts';
import { awaitInstallation } from './steps/install.ts';
import { planCluster } from './steps/plan.ts';
import { createPort } from './steps/port.ts';
import { addSecurityRules, createSecurityGroup } from './steps/security-group.ts';
import { createServer } from './steps/server.ts';
import { createServerVolume } from './steps/server-volume.ts';

/**
 * The creation of a cluster. Rolled back in reverse: agents, their volumes, control node, credential, key,
 * volume, floating IP, port, security group.
 */
export const createLiteClusterSteps: readonly Step<CreateLiteClusterContext, CreateLiteClusterState>[] = [
  planCluster,
  createSecurityGroup,
  addSecurityRules,
  createPort,
  createFloatingIp,
  createServerVolume,
  createEncryptionKey,
  createCredential,
  createServer,
  awaitInstallation,
  ...agentSteps<CreateLiteClusterContext, CreateLiteClusterState>(),
  awaitNodes,
  activateCluster,
];
