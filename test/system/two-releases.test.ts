import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runCase } from '../faults/case.ts';
import { type Fault, waitUntilHeld } from '../faults/fault.ts';
import { type Kind, type Place, placesOf } from '../faults/kind.ts';
import { kinds } from '../faults/kinds/index.ts';
import { type Creation, createdBy, createUnderLoad, judgeCreations } from '../faults/load.ts';
import { Rig } from '../faults/rig.ts';
import { problemsOf } from '../faults/verdict.ts';
import { creationProgram } from '../support/clients/creation-program.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import { eventually } from '../support/eventually.ts';
import { extractRelease, hasJobType, lastRelease, type Release } from '../support/source/last-release.ts';
import { root } from '../support/source/workspaces.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const CONCURRENT_CREATIONS = 4;
const CREATIONS_PER_CHANGE = 4;
const CHANGE_TIMEOUT_MS = 120_000;

/** While the job waits at a call: its worker dies, and the processes of the other release take over. */
const replaced: Fault = {
  name: 'replaced by the other release',
  async arm({ rig, match }) {
    const [worker, otherWorker] = rig.stack.workers;
    const [api, otherApi] = rig.stack.apis;
    await Promise.all([otherWorker, otherApi].map((one) => one?.stop()));
    const hold = await rig.control.hold('after', match);
    return async (job) => {
      await waitUntilHeld(hold, job);
      await worker?.kill('SIGKILL');
      await Promise.all([otherWorker, otherApi].map((one) => one?.restart()));
      await api?.kill('SIGKILL');
    };
  },
  allows: () => ['completed'],
};

/** A call in the middle of the job, so that the other release reads what the first has recorded. */
function middleOf(kind: Kind): Place {
  const places = placesOf(kind).filter(({ isReport }) => isReport !== true);
  return places[Math.floor(places.length / 2)] ?? assert.fail(`${kind.name} has no call`);
}

describe('two releases on one store', function () {
  this.timeout(600_000);
  const name = lastRelease();
  const newKinds = name === null ? [] : kinds.filter(({ jobType }) => !hasJobType(name, jobType));
  /** Null if the commit runs beside itself. */
  let release: Release | null = null;

  before(() => {
    const other = name ?? 'this commit itself, because there is no release yet';
    process.stderr.write(`      BESIDE THIS COMMIT: ${other}.\n`);
    for (const kind of newKinds) process.stderr.write(`      NEW, SO NOT BEGUN BY IT: ${kind.name}.\n`);
    if (name !== null) release = extractRelease(name);
  });

  after(() => release?.remove());

  const folders = () => (release === null ? undefined : [release.folder, root]);

  // Of a commit beside itself, the fault table says more about each kind.
  for (const order of name === null ? [] : ['an upgrade', 'a way back']) {
    describe(`in ${order}`, () => {
      let rig: Rig;

      before(async () => {
        const sources = folders();
        rig = await Rig.start({
          apis: 2,
          workers: 2,
          sources: order === 'a way back' ? sources?.toReversed() : sources,
        });
      });

      after(() => rig?.stop());

      // Preparations use the first api.
      beforeEach(async () => {
        const stopped = [...rig.stack.workers, ...rig.stack.apis].filter((one) => !one.isRunning());
        await Promise.all(stopped.map((one) => one.restart()));
      });

      for (const kind of kinds.filter((each) => !newKinds.includes(each))) {
        it(`end what the other has begun: ${kind.name}`, async () => {
          const verdict = await runCase(rig, { kind, place: middleOf(kind), fault: replaced });

          assert.deepEqual(problemsOf(verdict), []);
        });
      }
    });
  }

  const orders = [['workers', 'apis'] as const, ['apis', 'workers'] as const];
  // A commit beside itself does the same in both orders.
  for (const order of name === null ? orders.slice(0, 1) : orders) {
    it(`lose nothing when ${order[0]} are replaced first, and on the way back`, async () => {
      const rig = await Rig.start({ apis: 2, workers: 2, sources: folders() });
      try {
        assert.deepEqual(await createDuringChanges(rig, order), []);
      } finally {
        await rig.stop();
      }
    });
  }

  it('serve the published client of the last release', async () => {
    const project = await installPackedClient(release?.folder);
    const rig = await Rig.start({ apis: 1, workers: 1 });
    try {
      const { username, password, projectName } = testLogin('demo');
      const login = JSON.stringify({ username, password, project_name: projectName });
      const path = project.write('create.js', creationProgram);

      const { stdout } = await promisify(execFile)(process.execPath, [path, rig.stack.url, login]);

      assert.match(stdout, /"step":"COMPLETED"/);
    } finally {
      await rig.stop();
      project.remove();
    }
  });
});

/**
 * Creates instances while processes of the last release are replaced, and brought back. Returns the flaws.
 */
async function createDuringChanges(
  rig: Rig,
  order: readonly ['workers' | 'apis', 'workers' | 'apis'],
): Promise<unknown[]> {
  const session = { client: await GatewayClient.logIn(rig.stack.url, testLogin('demo')) };
  for (const kind of order) await rig.stack[kind][1]?.stop();
  const before = await rig.inventory();
  await rig.control.clearCalls();
  const done: Creation[] = [];
  let begun = 0;
  let isChanging = true;
  const lanes = Array.from({ length: CONCURRENT_CREATIONS }, async () => {
    while (isChanging) {
      begun += 1;
      done.push(await createUnderLoad(rig, session, `releases-${begun}`));
    }
  });
  const changes = [
    ...order.map((kind) => ({ kind, from: 0, to: 1 })),
    ...order.toReversed().map((kind) => ({ kind, from: 1, to: 0 })),
  ];

  try {
    for (const [index, { kind, from, to }] of changes.entries()) {
      await rig.stack[kind][to]?.restart();
      await rig.stack[kind][from]?.kill(index % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      const enough = done.length + CREATIONS_PER_CHANGE;
      await eventually(async () => done.length >= enough, CHANGE_TIMEOUT_MS);
    }
  } finally {
    isChanging = false;
    await Promise.all(lanes);
  }
  const verdicts = await judgeCreations(rig, done);
  return [...verdicts.flatMap(problemsOf), ...(await rig.differencesFrom(before, createdBy(done)))];
}
