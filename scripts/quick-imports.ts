import { type ResolveFnOutput, registerHooks } from 'node:module';

/**
 * Makes a process of this project start a fifth sooner. For each import, Node searches the file system for
 * the file, symbolic links, and the type of the package. Here a relative import names its file, and a
 * workspace package is in one place for all. Preload it with `--import`.
 */
const packages = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      const { href: url } = new URL(specifier, context.parentURL);
      return { url, format: 'module-typescript', shortCircuit: true };
    }
    if (!specifier.startsWith('@gateway/')) return nextResolve(specifier, context);
    const found = packages.get(specifier) ?? nextResolve(specifier, context);
    packages.set(specifier, found);
    return { ...found, shortCircuit: true };
  },
});
