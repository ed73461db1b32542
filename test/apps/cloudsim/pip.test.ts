import assert from 'node:assert/strict';
import { pipInstall } from '../../../apps/cloudsim/src/guest/pip.ts';

const index = { numpy: '2.2', Typing_Extensions: '4.12' };

describe('the simulated pip', () => {
  it('installs pinned versions, else the latest of the index', () => {
    const requirements = ['numpy', 'typing-extensions', 'six==1.17', 'pandas==2.*', 'x @ http://a/x.whl'];

    assert.deepEqual(pipInstall({ requirements, constraints: [], index }), [
      'numpy==2.2',
      'pandas==2.0',
      'six==1.17',
      'typing-extensions==4.12',
      'x==1.0',
    ]);
  });

  it('prefers the version of a constraint, and installs nothing because of one', () => {
    const constraints = ['numpy==2.1', 'typing_extensions==4.11', 'six==1.16'];

    assert.deepEqual(pipInstall({ requirements: ['numpy==2.*', 'Typing.Extensions'], constraints, index }), [
      'Typing.Extensions==4.11',
      'numpy==2.1',
    ]);
  });

  it('fails if a requirement and a constraint exclude each other', () => {
    for (const requirement of ['numpy==2.2', 'numpy==3.*']) {
      assert.throws(
        () => pipInstall({ requirements: [requirement], constraints: ['numpy==2.1'], index }),
        /conflicting dependencies/,
      );
    }
  });
});
