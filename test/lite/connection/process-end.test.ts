import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('./closing-process.ts', import.meta.url));

it.each(['connecting', 'used', 'asking', 'reconnecting'])(
  'a process exits when its lite connection was closed while %s',
  async (situation) => {
    // A process that does not end is killed, which fails.
    const run = promisify(execFile)(process.execPath, [program, situation], { timeout: 120_000 });
    expect(await run).toEqual({ stdout: 'closed', stderr: '' });
  },
);
