import type { LibraryBuild, LibraryDefinition } from './config.ts';

/** With the values of `builds`. */
const DEFAULT_BUILD: LibraryBuild = { image: null, flavor: null, network: null, commands: [] };

const PYTHON = { osVersions: [], pythonVersion: '3.11', build: DEFAULT_BUILD };

/**
 * The default of `libraries`: a Python runtime, and sets of packages that depend on it. The versions of the
 * packages are in `DEFAULT_CONSTRAINTS`.
 */
export const DEFAULT_LIBRARIES: readonly LibraryDefinition[] = [
  {
    ...PYTHON,
    id: 'python311',
    name: 'Python 3.11',
    version: '3.11',
    // The archive of the interpreter contains pip.
    packages: [],
    dependsOn: [],
    interpreter: true,
    sizeGb: 20,
  },
  packageSet('numpy-stack', 'NumPy, SciPy and pandas', '2.4', 20, ['numpy', 'scipy', 'pandas', 'matplotlib']),
  packageSet('pytorch', 'PyTorch', '2.15', 40, ['torch', 'torchvision'], ['numpy-stack']),
  packageSet('jupyter', 'JupyterLab', '4.6', 20, ['jupyterlab', 'ipykernel', 'ipywidgets']),
  packageSet('cupy', 'CuPy with CUDA 13', '14.2', 20, ['cupy-cuda13x[ctk]'], ['numpy-stack']),
];

function packageSet(
  id: string,
  name: string,
  version: string,
  sizeGb: number,
  packages: string[],
  additionalDependencies: string[] = [],
): LibraryDefinition {
  return {
    ...PYTHON,
    id,
    name,
    version,
    packages,
    dependsOn: ['python311', ...additionalDependencies],
    interpreter: false,
    sizeGb,
  };
}
