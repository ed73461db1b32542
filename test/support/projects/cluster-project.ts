import { eventually } from '../eventually.ts';
import type { startTestStack } from '../stacks/test-stack.ts';
import { TestProject } from './test-project.ts';

/** The project of a suite about managed clusters. */
export class ClusterProject extends TestProject {
  /** A template that all projects may use. */
  templateId = '';

  static async start(options: Parameters<typeof startTestStack>[0] = {}): Promise<ClusterProject> {
    const project = new ClusterProject(await TestProject.prepare(options));
    const { clustertemplates } = await project.cloud.call<{ clustertemplates: { uuid: string }[] }>(
      'container-infra',
      'GET',
      '/clustertemplates',
    );
    project.templateId = clustertemplates[0]?.uuid ?? '';
    return project;
  }

  /** Waits until reads of the path satisfy the condition. */
  until<T>(path: string, isDone: (status: number, body: T) => boolean): Promise<T> {
    return eventually(async () => {
      const { status, body } = await this.ask<T>('GET', path);
      return isDone(status, body) ? body : undefined;
    }, 120_000);
  }

  /** Removes the clusters, the project, and the processes. */
  async remove(): Promise<void> {
    await eventually(async () => {
      const { clusters } = await this.cloud.call<{ clusters: { uuid: string }[] }>(
        'container-infra',
        'GET',
        '/clusters',
      );
      for (const { uuid } of clusters) {
        await this.cloud.call('container-infra', 'DELETE', `/clusters/${uuid}`, undefined, [404, 409]);
      }
      return clusters.length === 0;
    }, 120_000);
    await this.removeEmpty();
  }
}
