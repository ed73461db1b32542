import assert from 'node:assert/strict';
import { ruleMark } from '@gateway/libraries';
import { type AccessRuleCreate, type AccessRuleRecord, UpstreamError } from '@gateway/openstack';
import { grantShareAccess } from '../../../apps/worker/src/sagas/create-instance/steps/share-access.ts';

type StepContext = Parameters<typeof grantShareAccess.run>[0];

const ADDRESS = '10.10.0.5';
const OWN = ruleMark('project', 'job');
const OTHERS = ruleMark('other-project', 'other-job');

describe("the access rule for an instance's address on a share", () => {
  let rules: AccessRuleRecord[];
  /** Changes the rules between the find and the create call. */
  let meanwhile: () => void;

  beforeEach(() => {
    rules = [];
    meanwhile = () => {};
  });

  it('is read-only, for one address, and marked with the job', async () => {
    assert.deepEqual(await run(), ['rule-1']);

    const [{ access_to, access_level, access_type, metadata } = rule(ADDRESS, {})] = rules;
    assert.deepEqual(
      { access_to, access_level, access_type, metadata },
      { access_to: ADDRESS, access_level: 'ro', access_type: 'ip', metadata: OWN },
    );
  });

  it('is adopted if an interrupted run has created it', async () => {
    rules.push(rule(ADDRESS, OWN));

    assert.deepEqual(await run(), ['rule-1']);
    assert.equal(rules.length, 1);
  });

  it('is adopted if a late call creates it at the last moment', async () => {
    meanwhile = () => rules.push(rule(ADDRESS, OWN));

    assert.deepEqual(await run(), ['rule-1']);
  });

  it('is neither created nor adopted if another job holds it', async () => {
    rules.push(rule(ADDRESS, OTHERS));

    await assert.rejects(run(), { status: 409, code: 'share_access_conflict', message: /another network/ });

    assert.deepEqual(await grantShareAccess.find?.(context()), [], 'there is nothing to take back');
    assert.equal(rules.length, 1);
  });

  it("is distinct from another project's job with the same id", async () => {
    rules.push(rule(ADDRESS, ruleMark('other-project', 'job')));

    await assert.rejects(run(), { code: 'share_access_conflict' });
  });

  it("fails with the service's error if the service refuses for another reason", async () => {
    meanwhile = () => {
      throw refusal(400, 'invalid_input');
    };

    await assert.rejects(run(), { code: 'invalid_input' });
  });

  async function run(): Promise<string[] | undefined> {
    return (await grantShareAccess.run(context())).accesses?.map(({ ruleId }) => ruleId);
  }

  function context(): StepContext {
    const service = { sharedFileSystem: { accessRules: { list: async () => [...rules], allow } } };
    return {
      jobId: 'job',
      projectId: 'project',
      owner: () => ({}),
      remover: () => ({}),
      service: async () => service,
      state: {
        plan: {
          strategy: 'prebuilt',
          libraryIds: ['library'],
          prebuiltShares: [{ id: 'share', libraryId: 'library', protocol: 'NFS' }],
        },
        port: { id: 'port', address: ADDRESS },
      },
    } as unknown as StepContext;
  }

  async function allow(_shareId: string, given: AccessRuleCreate): Promise<AccessRuleRecord> {
    meanwhile();
    if (rules.some(({ access_to }) => access_to === given.access_to)) throw refusal(409, 'conflict');
    const made = { ...rule(given.access_to, given.metadata ?? {}), ...given };
    rules.push(made);
    return made;
  }

  function rule(access_to: string, metadata: Record<string, string>): AccessRuleRecord {
    return {
      id: `rule-${rules.length + 1}`,
      access_type: 'ip',
      access_to,
      access_level: 'ro',
      state: 'active',
      access_key: null,
      created_at: '',
      metadata,
    };
  }

  function refusal(status: number, code: string): UpstreamError {
    return new UpstreamError(status, code, 'No.', {
      service: 'sharedFileSystem',
      operation: 'accessRules.allow',
      upstreamStatus: 400,
      upstreamMessage: 'No.',
      upstreamRequestId: null,
    });
  }
});
