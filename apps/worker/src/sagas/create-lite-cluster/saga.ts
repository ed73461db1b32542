import { type CallbackReport, type ClusterCreation, clusterCreationProgress } from '@gateway/jobs';
import type { ControlNodeProgress, ControlNodeReport, PluginKey, PluginStatus } from '@gateway/lite';
import type { Endpoints } from '@gateway/openstack';
import type { ExternalNetwork } from '@gateway/resources';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { AgentState } from '../lite-clusters/agent-steps.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';
import type { PluginPlan } from '../lite-clusters/plugins.ts';
import type { CreatedPort } from '../resources/created-port.ts';

/** The input and dependencies of the steps of a creation. */
export interface CreateLiteClusterContext extends LiteClusterContext {
  input: ClusterCreation;
  /** The services of the cloud; null if the token of the request has expired. */
  endpoints: Endpoints | null;
  /** The channel of the control node's reports. Only the final one has the result. */
  callback: {
    /** Issues a token for a new control node. */
    open(lifetimeSeconds: number): Promise<string>;
    read(): Promise<CallbackReport<ControlNodeReport, ControlNodeProgress> | null>;
    close(): Promise<void>;
  };
  /** Issues a token with which a new control node reports renewed configuration files. */
  issueRenewalToken(): Promise<string>;
}

/** Decided before anything is created. */
export interface LiteClusterPlan {
  imageId: string;
  serverFlavorId: string;
  /** Whether the control node has NVIDIA GPUs for pods. */
  serverHasGpus: boolean;
  serverVolumeSizeGb: number;
  networkId: string;
  /** The subnets of the network, as CIDR. */
  subnetCidrs: string[];
  /** The network of the control node's floating IP; null for none. */
  floatingIp: ExternalNetwork | null;
  /** In the order of their installation. */
  plugins: PluginKey[];
  pluginPlan: PluginPlan;
}

/** What the control node has reported, without its secrets. */
export interface Installation {
  /** The address of the API server. */
  serverIp: string;
  k3sVersion: string | null;
  pluginStatus: PluginStatus;
}

/** The results of the steps. Stored in the journal, so it contains no secrets. */
export interface CreateLiteClusterState extends AgentState {
  plan: LiteClusterPlan;
  rulesAdded: boolean;
  port: CreatedPort;
  floatingIpId: string;
  serverVolumeId: string;
  keyId: string;
  credentialId: string;
  serverId: string;
  /** What the control node did at its latest report before the final one, with the report's number. */
  reported: { number: number; message: string };
  /** Null until the control node has reported. */
  installation: Installation | null;
  isActive: boolean;
}

export type CreateLiteClusterStepContext = StepContext<CreateLiteClusterContext, CreateLiteClusterState>;

export const defineCreateStep = defineStep<CreateLiteClusterContext, CreateLiteClusterState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterCreationProgress);
