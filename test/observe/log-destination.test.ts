import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./logging-process.ts', import.meta.url));

function run(ending: string, stdout: 'pipe' | number = 'pipe') {
  return spawn(process.execPath, [script, ending], { stdio: ['ignore', stdout, 'pipe'] });
}

/** The numbers of the lines that arrived; every line must be whole. */
async function linesOf(ending: string): Promise<{ numbers: number[]; code: number | null }> {
  const child = run(ending);
  const [output, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  const lines = output.split('\n').filter((line) => line !== '');
  return { numbers: lines.map((line) => JSON.parse(line).line), code };
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe.concurrent('log lines reach standard output', () => {
  it('when the process exits at once', async () => {
    const { numbers, code } = await linesOf('exit at once');
    // The last lines may overtake a batch that was on its way; none is lost.
    expect(numbers.sort((a, b) => a - b)).toEqual(upTo(500));
    expect(code).toBe(3);
  });

  it('when the process exits while writes are in flight', async () => {
    const { numbers } = await linesOf('exit while writing');
    expect(numbers.sort((a, b) => a - b)).toEqual([...upTo(3), ...upTo(500)].sort((a, b) => a - b));
  });

  it('in order, when the log is flushed before the exit', async () => {
    expect(await linesOf('flush and exit')).toEqual({ numbers: upTo(20_000), code: 3 });
  });

  it('when the process ends by itself', async () => {
    expect(await linesOf('come to an end')).toEqual({ numbers: upTo(3), code: 0 });
  });

  it('when they do not fill a batch and the process goes on', async () => {
    const child = run('stay alive');
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(String(chunk).trim().split('\n')).toHaveLength(3);
    child.kill('SIGKILL');
  });

  it('complete and in order with a slow reader', async () => {
    const child = run('exit while the pipe is full');
    await once(child.stderr as NodeJS.ReadableStream, 'data');
    const lines = (await text(child.stdout as NodeJS.ReadableStream)).trim().split('\n');
    const numbers = lines.map((line) => JSON.parse(line).line);
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers).toHaveLength(5000);
  });

  it('when the process is killed right after a fatal line', async () => {
    const child = run('crash with a fatal line');
    expect(await text(child.stdout as NodeJS.ReadableStream)).toContain('the last words');
  });
});

describe.concurrent('a logging process ends', () => {
  it('even if nobody reads its output', async () => {
    const child = run('exit when nobody reads');
    expect(await once(child, 'exit')).toEqual([3, null]);
    child.stdout?.destroy();
  });

  it('even if its reader has gone', async () => {
    const child = run('exit when nobody reads');
    child.stdout?.destroy();
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it.skipIf(process.platform !== 'linux')('even if the disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const child = run('exit when nobody reads', full);
    closeSync(full);
    expect(await once(child, 'exit')).toEqual([3, null]);
  });
});
