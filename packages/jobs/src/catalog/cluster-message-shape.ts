import { id, keyOf, shapeLike } from '@gateway/core/shapes';
import { type ClusterMessage, clusterCreationProgress, clusterScalingProgress } from './lite-jobs.ts';
import { eventFields, progressFields } from './message-fields.ts';
import type { EventData } from './progress-message.ts';

export const liteClusterMessageShape = messageShape('LiteClusterMessage', clusterCreationProgress);
export const liteScalingMessageShape = messageShape('LiteScalingMessage', clusterScalingProgress);

function messageShape<Step extends ClusterMessage['step']>(
  name: string,
  steps: Readonly<Record<Step, number>>,
) {
  return shapeLike<EventData<ClusterMessage>>(name, {
    step: keyOf<ClusterMessage['step']>(steps as Record<ClusterMessage['step'], number>, 'completed'),
    ...progressFields('The cluster is ready.'),
    cluster_id: id('cluster'),
    ...eventFields,
  });
}
