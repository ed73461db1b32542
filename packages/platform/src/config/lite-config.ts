import type { RegistryRewrite } from './registry-rewrite.ts';

/** Settings of lite clusters: Kubernetes clusters that the gateway creates directly on virtual machines. */
export interface LiteConfig {
  /** Image of all nodes, by id or name; null disables creation. */
  image: string | null;
  /** Flavor of the control node, by id or name; null disables creation. */
  serverFlavor: string | null;
  /** Default flavor of the agents, by id or name; null makes it required in requests. */
  agentFlavor: string | null;
  /** Default network of the nodes; null for `instances.default_network_id`. */
  networkId: string | null;
  /** URL at which nodes reach the identity service; null for `identity.url`. */
  identityUrl: string | null;
  serverVolumeSizeGb: number;
  agentVolumeSizeGb: number;
  k3s: K3sSource;
  /** IPv4 network of the pods, as CIDR. Each node gets a /24 of it. */
  podCidr: string;
  /** IPv4 network of the services in the cluster, as CIDR. */
  serviceCidr: string;
  /** Gives the control node a floating IP, which `api_address` and the configuration file then contain. */
  floatingIp: boolean;
  /** Networks outside the cluster that may reach its nodes, as CIDR; an empty list admits none. */
  allowedFrom: LiteAllowedFrom;
  health: LiteHealthConfig;
  plugins: LitePluginsConfig;
  gpu: LiteGpuConfig;
  /** Provider of the load balancers that plugins create; null for the plugins' default. */
  loadBalancerProvider: string | null;
  /** Type of the volumes that plugins create; null lets the service choose. */
  volumeType: string | null;
  /** How many volumes of claims can be attached to a node, besides its boot volume. */
  nodeVolumeLimit: number;
  /**
   * Uses the address of the API server that the control node reports, instead of the node's own addresses.
   * Only for clouds whose machines have other addresses for the gateway, such as a simulated cloud: a tenant
   * could make the gateway connect to any address.
   */
  useReportedAddress: boolean;
  /**
   * Networks, as CIDR, in which the gateway connects to no API server: tenants choose the
   * addresses of their subnets.
   */
  neverContacted: string[];
  /**
   * Limits the plugins' credentials to the requests that the plugins make. The services
   * must support access rules.
   */
  limitCredentials: boolean;
  /** How long the record of a deleted cluster is kept after the removal of its resources. */
  deletedKeepSeconds: number;
}

export interface K3sSource {
  /** The release that nodes install, such as `v1.36.1+k3s1`. */
  version: string;
  /** Further releases that clusters can be upgraded to. */
  upgradeVersions: string[];
  /** URL of the install script. */
  installerUrl: string;
  /** SHA-256 of the install script, in hexadecimal; null skips the check. */
  installerSha256: string | null;
  /** Mirror of the release channels; null for the installer's default. */
  channelUrl: string | null;
  /** Base URL of a mirror of the release files; null for the installer's default. */
  artifactUrl: string | null;
  /** Mirrors of container registries, for sites without internet access. */
  registries: RegistryMirror[];
  /** Log-ins of the mirrors. Their passwords are in `Secrets`. */
  registryCredentials: RegistryLogin[];
}

export interface RegistryMirror {
  /** Host of the registry. */
  name: string;
  /** URL of the mirror. */
  endpoint: string;
  /** Images with another name at the mirror. At most one pattern may match a name: k3s has no order. */
  rewrite: RegistryRewrite[];
}

/** One of `passwordFile` and `passwordVariable` is set. */
interface RegistryLogin {
  /** Host of the mirror, with its port as in the endpoint. */
  host: string;
  username: string;
  /** File with the password. */
  passwordFile: string | null;
  /** Environment variable with the password. */
  passwordVariable: string | null;
}

export interface LiteAllowedFrom {
  /** Port 6443, the API server. */
  api: string[];
  /** Ports 80 and 443. */
  http: string[];
  /** Ports 30000 to 32767. Empty admits all clients of load balancers that keep the clients' addresses. */
  nodePorts: string[];
  /** Port 22, only for clusters with a key pair. */
  ssh: string[];
}

interface LiteHealthConfig {
  /** Interval of the checks of one cluster. */
  intervalSeconds: number;
  /** How long a result is kept. */
  keepSeconds: number;
  /** One request to an API server. */
  requestSeconds: number;
}

/** Operating system packages that nodes with NVIDIA GPUs install at first boot if their image lacks them. */
interface LiteGpuConfig {
  /** Null for `instances.gpu_driver_packages`. */
  driverPackages: string[] | null;
  /** Packages with the command `nvidia-container-runtime`. */
  containerToolkitPackages: string[];
}

export interface LitePluginsConfig {
  cloudControllerEnabled: boolean;
  blockCsiEnabled: boolean;
  fileCsiEnabled: boolean;
  lbIngressEnabled: boolean;
  identityAuthEnabled: boolean;
  secretsKmsEnabled: boolean;
  /** Only for clusters with a flavor that has NVIDIA GPUs. */
  gpuEnabled: boolean;
}
