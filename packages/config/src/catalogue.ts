import type { LibraryBuild, LibraryDefinition } from './config.ts';

const AS_CONFIGURED: LibraryBuild = { image: null, flavor: null, network: null, commands: [] };

/** The catalogue of a file without `libraries`: a runtime, and package sets that stand on it. */
export const SHIPPED_LIBRARIES: readonly LibraryDefinition[] = [
  {
    id: 'python311',
    name: 'Python 3.11',
    version: '3.11',
    packages: ['pip', 'setuptools', 'wheel'],
    dependsOn: [],
    osVersions: [],
    pythonVersion: '3.11',
    sizeGb: 20,
    build: AS_CONFIGURED,
  },
  packageSet('numpy-stack', 'NumPy, SciPy and pandas', '2.2', 20, ['numpy', 'scipy', 'pandas', 'matplotlib']),
  packageSet('pytorch', 'PyTorch', '2.5', 40, ['torch', 'torchvision', 'torchaudio'], ['numpy-stack']),
  packageSet('jupyter', 'JupyterLab', '4.3', 20, ['jupyterlab', 'ipykernel', 'ipywidgets']),
];

function packageSet(
  id: string,
  name: string,
  version: string,
  sizeGb: number,
  packages: string[],
  furtherDependencies: string[] = [],
): LibraryDefinition {
  return {
    id,
    name,
    version,
    packages,
    dependsOn: ['python311', ...furtherDependencies],
    osVersions: [],
    pythonVersion: '3.11',
    sizeGb,
    build: AS_CONFIGURED,
  };
}
