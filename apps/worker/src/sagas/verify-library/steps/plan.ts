import { requireVerifiable } from '@gateway/libraries';
import type { FlavorRecord } from '@gateway/openstack';
import { checkQuotas, type QuotaDemand, readQuotas } from '@gateway/resources';
import { definitionOf } from '../../library-machines/definition.ts';
import { planMachine } from '../../library-machines/machine-resources.ts';
import { requirePortMarks } from '../../resources/port-marks.ts';
import { announce, defineVerifyStep, needsPort, type VerificationPlan } from '../saga.ts';
import { UPPER_VOLUME_GB } from './upper-volume.ts';

/** Checks everything that the verification needs before anything is created. */
export const planVerification = defineVerifyStep<{ plan: VerificationPlan }>({
  name: 'plan',
  beginUpdate: announce('VERIFIER_PREPARING', 'The request is being checked.'),
  async run(context) {
    const { config, input } = context;
    const library = definitionOf(context);
    const service = await context.service();
    // Shares may have been built or deleted since the request was accepted.
    const found = await requireVerifiable(service.sharedFileSystem.shares, config, input.fileStorageId);
    const projectId = await context.serviceProjectId();
    const [{ flavor, machine }, quotas] = await Promise.all([
      planMachine({ service, projectId }, config, library),
      readQuotas(service, projectId, false),
    ]);
    const plan: VerificationPlan = { ...machine, layers: found.layers, packages: found.packages };
    if (needsPort(plan)) await requirePortMarks(service);
    checkQuotas(quotas, demandOf(plan, flavor), "the gateway's own project");
    return { plan };
  },
});

/** The resources that count against the quotas of the service user's project. */
function demandOf({ bootVolumeSizeGb }: VerificationPlan, flavor: FlavorRecord): QuotaDemand {
  return {
    instances: 1,
    cores: flavor.vcpus,
    ram: flavor.ram,
    volumes: 2,
    gigabytes: bootVolumeSizeGb + UPPER_VOLUME_GB,
    ports: 1,
  };
}
