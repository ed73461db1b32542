import type { CallbackTarget } from '@gateway/cloud-init';
import type { RegistryCredential, RegistryMirror } from '@gateway/platform';

/** The release of k3s that a node installs, and its source. */
export interface K3sInstall {
  /** Such as `v1.36.1+k3s1`. */
  version: string;
  /** URL of the install script. */
  installerUrl: string;
  /** SHA-256 of the install script, in lower-case hexadecimal; null skips the check. */
  installerSha256: string | null;
  /** Mirror of the release channels; null for the installer's default. */
  channelUrl: string | null;
  /** Base URL of a mirror of the release files; null for the installer's default. */
  artifactUrl: string | null;
  /** Mirrors of container registries. */
  registries: RegistryMirror[];
}

/** A file that root owns and that exists before k3s starts. */
export interface NodeFile {
  /** Absolute path of letters, digits and `._-`. */
  path: string;
  content: string;
  /** Octal, such as `0600`. */
  mode: string;
}

/** A plugin of a cluster. */
export interface NodePlugin {
  /** Lower-case letters, digits and `_`. Used in `plugin_status` and in the file's name. */
  key: string;
  /** Kubernetes objects as YAML documents. May contain secrets. */
  manifests: string;
  /** The objects in the manifests that run pods. The plugin works once they are available. */
  workloads: NodeWorkload[];
}

interface NodeWorkload {
  /** `Deployment`, `DaemonSet`, `StatefulSet` or `Job`. */
  kind: string;
  name: string;
  /** The value of the label `app` of its pods. */
  app: string;
}

/** The system packages that a node with NVIDIA GPUs installs before k3s starts, if its image lacks them. */
export interface NodeGpuPlan {
  /** With the driver. If empty, the driver is neither installed nor checked. */
  driverPackages: string[];
  /** With the container runtime for GPUs. If empty, it is neither installed nor checked. */
  toolkitPackages: string[];
}

/** The work of a control node: it installs k3s as a server, applies the plugins, and reports the result. */
export interface ControlNodePlan {
  /** The host name is derived from it. */
  nodeName: string;
  k3s: K3sInstall;
  /** Log-ins of the mirrors. */
  registryCredentials: RegistryCredential[];
  /** Additional arguments of `k3s server`. Any user of the machine can read them. */
  serverArguments: string[];
  /** Null for a node without NVIDIA GPUs. */
  gpu: NodeGpuPlan | null;
  /** Additional names and addresses in the certificate of the API server. */
  tlsSans: string[];
  /** The IP address or DNS name of the API server in the reported configuration file and `server_ip`. */
  address: string;
  callback: {
    /** HTTP or HTTPS URL. */
    url: string;
    /** HTTP or HTTPS URL for the stages of the work. */
    progressUrl: string;
    /** One-time secret. */
    token: string;
    /** PEM of the certificate authority of the URLs; null if images trust it already. */
    caPem: string | null;
  };
  /** Where the node reports its configuration file, after k3s has renewed the certificates in it. */
  renewal: {
    /** HTTP or HTTPS URL. */
    url: string;
    /** A secret that each accepted report replaces. */
    token: string;
  };
  /**
   * The node stops its work after this time and reports the failure. Plugins that could not be
   * installed in time, or whose workloads did not become available, have failed.
   */
  timeLimitSeconds: number;
  files: NodeFile[];
  /** Applied one after another, in this order. */
  plugins: NodePlugin[];
}

/** The work of an agent: it installs k3s as an agent and joins the cluster. */
export interface AgentNodePlan {
  /** The host name is derived from it. */
  nodeName: string;
  k3s: K3sInstall;
  /** Log-ins of the mirrors. */
  registryCredentials: RegistryCredential[];
  /** Null for a node without NVIDIA GPUs. */
  gpu: NodeGpuPlan | null;
  /** Such as `https://10.0.0.5:6443`. */
  serverUrl: string;
  /** The agent token that the control node reported, with the hash of the cluster's certificate authority. */
  token: string;
  /** Additional arguments of `k3s agent`. Any user of the machine can read them. */
  agentArguments: string[];
  /** Where the node reports that its work has failed; null for nowhere. */
  failureReport: CallbackTarget | null;
}
