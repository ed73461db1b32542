import { isIPv6 } from 'node:net';
import type { LiteAllowedFrom } from '@gateway/platform';

/** An ingress rule of a security group, without its group. */
interface IngressRule {
  ethertype: 'IPv4' | 'IPv6';
  /** Null for all. */
  protocol: 'tcp' | 'udp' | null;
  /** Null for all. */
  ports: { from: number; to: number } | null;
  /** A network as CIDR; null for the members of the group itself. */
  from: string | null;
}

interface SecurityRuleInputs {
  /** The subnets of the nodes' network, as CIDR. Load balancers reach node ports from there. */
  subnetCidrs: readonly string[];
  allowedFrom: LiteAllowedFrom;
  /** Whether the nodes have a key pair. */
  hasKeyPair: boolean;
}

const API = { from: 6443, to: 6443 };
const HTTP = { from: 80, to: 80 };
const HTTPS = { from: 443, to: 443 };
const SSH = { from: 22, to: 22 };
const NODE_PORTS = { from: 30_000, to: 32_767 };

/**
 * The ingress rules of a cluster's security group: all traffic between its nodes, and only the
 * configured traffic from outside.
 */
export function ingressRules({ subnetCidrs, allowedFrom, hasKeyPair }: SecurityRuleInputs): IngressRule[] {
  const nodePortsFrom = unique([...subnetCidrs, ...allowedFrom.nodePorts]);
  return [
    { ethertype: 'IPv4', protocol: null, ports: null, from: null },
    { ethertype: 'IPv6', protocol: null, ports: null, from: null },
    ...allow('tcp', NODE_PORTS, nodePortsFrom),
    ...allow('udp', NODE_PORTS, nodePortsFrom),
    ...allow('tcp', API, unique(allowedFrom.api)),
    ...allow('tcp', HTTP, unique(allowedFrom.http)),
    ...allow('tcp', HTTPS, unique(allowedFrom.http)),
    ...(hasKeyPair ? allow('tcp', SSH, unique(allowedFrom.ssh)) : []),
  ];
}

/** The egress rules that the network service adds to every new group, one for each version of IP. */
const EGRESS_RULES = 2;

/** The rules of a cluster's security group that count against the project's quota. */
export function securityRuleCount(inputs: SecurityRuleInputs): number {
  return ingressRules(inputs).length + EGRESS_RULES;
}

function allow(
  protocol: IngressRule['protocol'],
  ports: IngressRule['ports'],
  networks: readonly string[],
): IngressRule[] {
  return networks.map((from) => ({ ethertype: isV6(from) ? 'IPv6' : 'IPv4', protocol, ports, from }));
}

function isV6(cidr: string): boolean {
  return isIPv6(cidr.slice(0, cidr.indexOf('/')));
}

/** A security group rejects duplicate rules. */
function unique(cidrs: readonly string[]): string[] {
  return [...new Set(cidrs)];
}
