import { requireBuildable } from '@gateway/libraries';
import type { FlavorRecord } from '@gateway/openstack';
import type { LibraryDefinition } from '@gateway/platform';
import { checkQuotas, type QuotaDemand, readQuotas, shareFields } from '@gateway/resources';
import { definitionOf } from '../../library-machines/definition.ts';
import { planMachine } from '../../library-machines/machine-resources.ts';
import { requirePortMarks } from '../../resources/port-marks.ts';
import { announce, type BuildPlan, defineBuildStep } from '../saga.ts';
import { checkBuilderUserData } from '../user-data.ts';

/** Checks everything that the build needs before anything is created. */
export const planBuild = defineBuildStep<{ plan: BuildPlan }>({
  name: 'plan',
  beginUpdate: announce('SHARE_CREATING', 'The request is being checked.'),
  async run(context) {
    const { config } = context;
    const library = definitionOf(context);
    const service = await context.service();
    // Shares may have been built or deleted since the request was accepted.
    const constraints = await requireBuildable(service.sharedFileSystem.shares, config, library);
    const projectId = await context.serviceProjectId();
    const protocol = config.fileStorage.shareProto;
    const [{ flavor, machine }, share, quotas] = await Promise.all([
      planMachine({ service, projectId }, config, library),
      shareFields(service, config.fileStorage, { protocol }),
      readQuotas(service, projectId, true),
    ]);
    checkBuilderUserData(context, constraints);
    const plan: BuildPlan = { ...machine, protocol, share, constraints };
    if (protocol === 'NFS') await requirePortMarks(service);
    checkQuotas(quotas, demandOf(plan, flavor, library), "the gateway's own project");
    return { plan };
  },
});

/** The resources of a build that count against the quotas of the service user's project. */
function demandOf(plan: BuildPlan, flavor: FlavorRecord, { sizeGb }: LibraryDefinition): QuotaDemand {
  return {
    instances: 1,
    cores: flavor.vcpus,
    ram: flavor.ram,
    volumes: 1,
    gigabytes: plan.bootVolumeSizeGb,
    shares: 1,
    'share gigabytes': sizeGb,
    ports: 1,
  };
}
