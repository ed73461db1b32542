#!/usr/bin/env node
import type { Context } from './context.ts';
import { catalog } from './generated/catalog.ts';
import { run } from './run.ts';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
// The reader of a pipe, such as `head`, has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// A command continues without a reader of its notes: its exit code and its result say how it ended.
process.stderr.on('error', () => {});

const { env, stdin, stdout, stderr } = process;
const context: Context = { env, stdin, stdout, stderr, signal: interrupt.signal, catalog };
process.exitCode = await run(process.argv.slice(2), context);
