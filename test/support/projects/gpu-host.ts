import { randomUUID } from 'node:crypto';
import type { CloudClient } from '../clients/cloud-client.ts';
import { isRealCloud } from '../stacks/test-stack.ts';

/** A host with GPUs that the placement service knows. */
export interface KnownGpuHost {
  name: string;
  /** How many PCI devices it has. */
  cards: number;
  deviceName: string;
  resourceClass: string;
  remove(): Promise<void>;
}

const CLASS = 'CUSTOM_PCI_10DE_20B0';

/**
 * The GPU host of the simulated cloud; in a real cloud, resource providers without a
 * compute host behind them.
 */
export async function prepareGpuHost(admin: CloudClient): Promise<KnownGpuHost> {
  if (!isRealCloud()) {
    const remove = async () => {};
    return { name: 'gpu-1', cards: 8, deviceName: 'A100', resourceClass: 'CUSTOM_GPU_A100', remove };
  }
  const name = `test-gpu-${randomUUID().slice(0, 8)}`;
  const providers: string[] = [];
  const add = async (suffix: string, parent: string | null, inventories: object) => {
    const uuid = randomUUID();
    const body = { uuid, name: name + suffix, parent_provider_uuid: parent };
    await admin.call('placement', 'POST', '/resource_providers', body);
    providers.unshift(uuid);
    await admin.call('placement', 'PUT', `/resource_providers/${uuid}/inventories`, {
      resource_provider_generation: 0,
      inventories,
    });
    return uuid;
  };
  await admin.call('placement', 'PUT', `/resource_classes/${CLASS}`);
  // A host without memory is used up: no server is placed there, and no allocation candidate shows it.
  const root = await add('', null, { [CLASS]: { total: 1 } });
  await add('_0000:81:00.0', root, { [CLASS]: { total: 1 } });
  // The other functions of the card, and a switch, which no flavor can ask for.
  for (const [address, device] of [
    ['0000:81:00.1', '10F7'],
    ['0000:81:00.2', 'FFFE'],
    ['0000:82:00.0', '22A3'],
  ]) {
    await admin.call('placement', 'PUT', `/resource_classes/CUSTOM_PCI_10DE_${device}`);
    await add(`_${address}`, root, { [`CUSTOM_PCI_10DE_${device}`]: { total: 1 } });
  }
  return {
    name,
    cards: 1,
    deviceName: 'A100',
    resourceClass: CLASS,
    async remove() {
      for (const uuid of providers) await admin.call('placement', 'DELETE', `/resource_providers/${uuid}`);
    },
  };
}
