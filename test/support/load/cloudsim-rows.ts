import { randomUUID } from 'node:crypto';
import type { Cloud } from '../../../apps/cloudsim/src/cloud/cloud.ts';
import { recordCollections } from '../../../apps/cloudsim/src/control/state.ts';

interface Row {
  id: string;
}

/** Collections that no list shows by themselves. `growServer` copies ports. */
const NOT_GROWN = ['network.ports', 'sharedFileSystem.snapshots', 'keyManager.secrets'];

/**
 * Fills each collection of a simulated cloud in this process up to `size` rows, with copies of its first row.
 * A thousand requests for each kind would take minutes.
 */
export function growTo(cloud: Cloud, size: number): void {
  for (const { name, records } of recordCollections(cloud)) {
    if (!NOT_GROWN.includes(name)) fill(name, records, size);
  }
  while (cloud.compute.hosts.length < size) {
    const number = cloud.compute.hosts.length + 1;
    const [template] = cloud.compute.hosts.filter(({ devices }) => 'a100' in devices);
    if (template === undefined) throw new Error('The cloud has no host with GPUs to copy.');
    cloud.compute.hosts.push({ ...template, id: randomUUID(), number, name: `gpu-${number}` });
  }
  for (const pairs of cloud.compute.keyPairs.values()) {
    const [template] = pairs.values();
    if (template === undefined) continue;
    while (pairs.size < size) {
      const name = `key-${pairs.size}`;
      pairs.set(name, { ...template, name, number: template.number + pairs.size });
    }
  }
}

function fill(name: string, rows: Map<string, Row>, size: number): void {
  const [template] = rows.values();
  if (template === undefined) throw new Error(`${name} has no row to copy: create one in one-of-each.ts.`);
  while (rows.size < size) {
    const id = randomUUID();
    rows.set(id, { ...structuredClone(template), id });
  }
}

/** Gives a server `size` ports and volumes. */
export function growServer({ compute, network, blockStorage }: Cloud, serverId: string, size: number): void {
  const server = compute.servers.get(serverId);
  const ports = network.portsByDevice.get(serverId);
  const [port] = ports ?? [];
  const [attached] = server?.volumes ?? [];
  if (server === undefined || ports === undefined || port === undefined || attached === undefined) {
    throw new Error('The server has no port or no volume to copy.');
  }
  while (ports.size < size) {
    const copy = { ...structuredClone(port), id: randomUUID() };
    network.ports.set(copy.id, copy);
    ports.add(copy);
  }
  for (const volumeId of blockStorage.volumes.keys()) {
    if (server.volumes.length >= size) return;
    if (volumeId !== attached.volumeId) server.volumes.push({ ...attached, volumeId });
  }
}

/** Fills the whole cloud up to as many servers, ports and projects, which share the servers. */
export function growCloud(
  { compute, identity, network }: Cloud,
  { servers, ports, projects }: { servers: number; ports: number; projects: number },
): void {
  fill('identity.projects', identity.projects as unknown as Map<string, Row>, projects);
  fill('compute.servers', compute.servers as unknown as Map<string, Row>, servers);
  fill('network.ports', network.ports as unknown as Map<string, Row>, ports);
  const owners = [...identity.projects.keys()];
  [...compute.servers.values()].slice(owners.length).forEach((server, index) => {
    server.projectId = owners[index % owners.length] ?? '';
  });
}

/** Fills the cloud with users, groups and projects, which are evenly in three domains. */
export function growDomains({ identity }: Cloud, size: number): void {
  const { domains, groups, projects, users } = identity;
  for (const name of ['Physics', 'Chemistry']) {
    domains.set(name.toLowerCase(), { id: name.toLowerCase(), name, description: '', enabled: true });
  }
  const domainIds = [...domains.keys()];
  for (const [kind, rows] of Object.entries({ user: users, group: groups, project: projects })) {
    const known = new Set(rows.keys());
    fill(kind, rows as Map<string, Row>, size);
    [...rows.values()].forEach((row, index) => {
      if (known.has(row.id)) return;
      row.name = `${kind}-${String(index).padStart(4, '0')}`;
      row.domainId = domainIds[index % domainIds.length] ?? '';
    });
  }
}
