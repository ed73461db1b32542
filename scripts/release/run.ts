import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT = 64 * 1024 * 1024;
const execute = promisify(execFile);

/** Returns the standard output. @throws with the end of the error output if the program fails */
export async function run(program: string, args: readonly string[], folder: string): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd: folder, maxBuffer: MAX_OUTPUT });
    return stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`${program} ${args[0]} failed: ${stderr.trim().slice(-1000)}`, { cause: error });
  }
}

/** Returns the standard output without white space around it. */
export async function gitIn(folder: string, args: readonly string[]): Promise<string> {
  return (await run('git', args, folder)).trim();
}
