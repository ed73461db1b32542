import Joi from 'joi';
import {
  baseUrl,
  file,
  flag,
  httpUrl,
  id,
  integer,
  keyed,
  list,
  OPERATOR,
  optional,
  packageName,
  seconds,
  section,
  sha256,
  sizeGb,
  text,
  timerSeconds,
  variable,
} from './kinds.ts';
import { registryRewrites } from './registry-rewrite.ts';

const cidrs = (...defaultValue: string[]) =>
  list(Joi.string().ip({ cidr: 'required' })).default(defaultValue);
const ipv4Cidr = () => Joi.string().ip({ version: 'ipv4', cidr: 'required' });
const k3sRelease = () =>
  text()
    .pattern(/^v\d+\.\d+\.\d+\+k3s\d+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a release of k3s, as v1.36.1+k3s1' });
const registryVariable = () =>
  Joi.string()
    .pattern(/^GATEWAY_REGISTRY_\w+$/)
    .messages({
      'string.pattern.base': '{{#label}} must be the name of a variable that begins with GATEWAY_REGISTRY_',
    });

export const liteSettings = section({
  image: id()
    .description('Image of all nodes, by id or name; null disables creation.')
    .meta(variable('GATEWAY_LITE_IMAGE'))
    .tag(OPERATOR),
  server_flavor: id()
    .description('Flavor of the control node, by id or name; null disables creation.')
    .meta(variable('GATEWAY_LITE_SERVER_FLAVOR'))
    .tag(OPERATOR),
  agent_flavor: id()
    .description('Default flavor of the agents, by id or name; null makes it required in requests.')
    .meta(variable('GATEWAY_LITE_AGENT_FLAVOR'))
    .tag(OPERATOR),
  network_id: id().description('Default network of the nodes; null for instances.default_network_id.'),
  identity_url: optional(httpUrl()).description(
    'URL of the identity service for the nodes; null for identity.url.',
  ),
  server_volume_size_gb: sizeGb(40).description("Size of the control node's boot volume."),
  agent_volume_size_gb: sizeGb(40).description("Size of an agent's boot volume."),
  k3s: section({
    version: k3sRelease().default('v1.36.1+k3s1').description('The release that nodes install.'),
    upgrade_versions: list(k3sRelease())
      .unique()
      .description(
        'Further releases that clusters can be upgraded to, such as the newest of the minor releases ' +
          'between that of old clusters and `version`: an upgrade goes one minor release at a time. With ' +
          'the plugins of this version of the gateway, clusters can have Kubernetes 1.34 to 1.36.',
      ),
    installer_url: httpUrl().default('https://get.k3s.io').description('URL of the install script.'),
    installer_sha256: optional(sha256()).description(
      'SHA-256 of the install script, in hexadecimal; null skips the check.',
    ),
    channel_url: optional(httpUrl()).description(
      "Mirror of the release channels; null for the installer's default.",
    ),
    artifact_url: optional(httpUrl()).description(
      "Base URL of a mirror of the release files; null for the installer's default.",
    ),
    registries: list(
      keyed({
        name: text()
          .pattern(/^[a-z0-9.*-]+(:\d+)?$/)
          .messages({ 'string.pattern.base': '{{#label}} must be the host of a registry' })
          .required()
          .description('Host of the registry.'),
        endpoint: baseUrl().required().description('URL of its mirror.'),
        rewrite: registryRewrites().description(
          'Images with another name at the mirror. At most one pattern may match a name.',
        ),
      }),
    )
      .description('Mirrors of container registries, for sites without internet access.')
      .example([
        {
          name: 'docker.io',
          endpoint: 'https://mirror.example.org',
          rewrite: [{ pattern: '^rancher/(.*)', replacement: 'hub/rancher-$1' }],
        },
      ]),
    registry_credentials: list(
      keyed({
        host: text()
          .pattern(/^[\w.:[\]-]+$/)
          .messages({ 'string.pattern.base': '{{#label}} must be the host of a mirror, without its path' })
          .required()
          .description('Host of the mirror, with its port as in `endpoint`, which must have https.'),
        username: text()
          .pattern(/^[^\s:\p{Cc}]+$/u)
          .messages({ 'string.pattern.base': '{{#label}} must be a user name without blanks and colons' })
          .required()
          .description('Name of the account.'),
        password_file: file().description(
          'File with the password, for each process of the gateway; null with `password_variable`.',
        ),
        password_variable: optional(registryVariable()).description(
          'Environment variable with the password. Its name must begin with GATEWAY_REGISTRY_.',
        ),
      }),
    )
      .unique('host')
      .messages({ 'array.unique': '{{#label}} has the host of an earlier one' })
      .description(
        'Log-ins of mirrors that require one. Every node gets them, and who administers a cluster can ' +
          'read them there: use accounts that can do nothing but read images.',
      )
      .example([
        {
          host: 'mirror.example.org',
          username: 'nodes',
          password_file: null,
          password_variable: 'GATEWAY_REGISTRY_PASSWORD',
        },
      ]),
  }).description('The distribution of Kubernetes that nodes install.'),
  pod_cidr: ipv4Cidr()
    .default('10.42.0.0/16')
    .description(
      'IPv4 network of the pods; each node gets a /24 of it. Subnets of nodes must not overlap with it.',
    ),
  service_cidr: ipv4Cidr()
    .default('10.43.0.0/16')
    .description('IPv4 network of the services in a cluster. Subnets of nodes must not overlap with it.'),
  floating_ip: flag().description(
    'Gives the control node a floating IP, so that the configuration file works outside the cloud.',
  ),
  allowed_from: section({
    api: cidrs('0.0.0.0/0').description('Port 6443, the API server.'),
    http: cidrs().description('Ports 80 and 443.'),
    node_ports: cidrs().description(
      'Ports 30000 to 32767. Load balancers of the provider ovn keep the address of the client, so with ' +
        'this provider the networks of the clients are required.',
    ),
    ssh: cidrs().description('Port 22, only for clusters with a key pair.'),
  }).description('Networks outside the cluster that may reach its nodes.'),
  health: section({
    interval_seconds: timerSeconds(180).description('Interval of the checks of one cluster.'),
    request_seconds: timerSeconds(5).description('Maximum time of one request to an API server.'),
  }).description('Checks of the health of clusters.'),
  plugins: section({
    cloud_controller_enabled: flag().description(
      'Initialises nodes, and creates load balancers for services.',
    ),
    block_csi_enabled: flag().description('Persistent volumes on block storage.'),
    file_csi_enabled: flag().description('Persistent volumes on shares of the shared file system service.'),
    lb_ingress_enabled: flag().description('Ingress by the load balancer service.'),
    identity_auth_enabled: flag().description('Log-in to the cluster with tokens of the identity service.'),
    secrets_kms_enabled: flag().description(
      "Encryption of the cluster's secrets with a key of the key manager.",
    ),
    gpu_enabled: flag(true).description(
      'NVIDIA GPUs for pods, as nvidia.com/gpu. Only clusters get it whose control node or agents have ' +
        'a flavor with such GPUs.',
    ),
  }).description('Plugins that new clusters get.'),
  gpu: section({
    driver_packages: optional(list(packageName())).description(
      'Operating system packages with the driver, for images without the command nvidia-smi; null for ' +
        'instances.gpu_driver_packages.',
    ),
    container_toolkit_packages: list(packageName()).description(
      'Operating system packages with the container toolkit, for images without the command ' +
        'nvidia-container-runtime, such as nvidia-container-toolkit.',
    ),
  }).description(
    'What nodes with NVIDIA GPUs install at first boot if their image lacks it. The first boot fails ' +
      'if the driver does not work afterwards, or the container runtime is missing. Without packages, ' +
      'nothing is installed or checked.',
  ),
  load_balancer_provider: id().description(
    "Provider of the load balancers that plugins create; null for the plugins' default.",
  ),
  volume_type: id().description('Type of the volumes that plugins create; null lets the service choose.'),
  node_volume_limit: integer(24, 1, 256).description(
    'How many volumes of claims a node can have besides its boot volume (1 to 256). A machine with ' +
      'virtio disks has about 25 slots; images with "hw_disk_bus=scsi" allow more, and machines of the ' +
      'type q35 as many as "num_pcie_ports" of the compute service leaves.',
  ),
  use_reported_address: flag()
    .description(
      "Uses the address that a control node reports for its API server, instead of the node's own " +
        'addresses. Only for clouds whose machines have other addresses for the gateway: a tenant could ' +
        'make the gateway connect to any address.',
    )
    .meta(variable('GATEWAY_LITE_USE_REPORTED_ADDRESS')),
  never_contacted: cidrs(
    '0.0.0.0/8',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/96',
    'fe80::/10',
    'ff00::/8',
  )
    .description(
      'Networks in which the gateway connects to no API server, because tenants choose the addresses of ' +
        "their subnets. Add networks that the gateway's processes can reach and tenants must not. The " +
        'default: this machine, link-local addresses with the metadata service, multicast, and unassigned ' +
        'addresses, including their IPv4-mapped IPv6 addresses.',
    )
    .meta(variable('GATEWAY_LITE_NEVER_CONTACTED')),
  limit_credentials: flag(true).description(
    "Limits the plugins' credentials to the requests that the plugins make. Set it to false if a " +
      'service of the cloud rejects credentials with access rules.',
  ),
  deleted_keep_seconds: seconds(7_776_000, 3600).description(
    'How long the record of a deleted cluster is kept after the removal of its resources. While ' +
      'volumes and shares of its claims exist, the record stays.',
  ),
}).description(
  'Lite clusters: Kubernetes (k3s) directly on virtual machines. Needs public_endpoint.url and ' +
    'services.lite.',
);
