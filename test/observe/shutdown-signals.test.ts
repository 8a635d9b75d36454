import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampled, sampleOf } from '../support/long-run.ts';
import { onStuckNameServer } from '../support/stuck-name-server.ts';

const script = fileURLToPath(new URL('./stopping-process.ts', import.meta.url));

const asIs = (command: readonly string[]) => command;

async function start(situation: string, timeoutMs = 10_000, { wrap = asIs } = {}) {
  const [file = '', ...args] = wrap([process.execPath, script, situation, String(timeoutMs)]);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = text(child.stdout);
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  return { child, ended: async () => ({ exit: await ended, lines: parse(await log) }) };
}

function parse(log: string): Record<string, unknown>[] {
  return log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const closed = ['second closed', 'first closed', 'stopped'];

/** Sends a second signal later than an echo of the first would come. */
async function sendTwice(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await sleep(700);
  child.kill(signal);
}

describe.concurrent('a process with a shutdown', () => {
  it.each(sampled(['SIGTERM'] as const, ['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
    'closes everything on %s and exits with 0',
    async (signal) => {
      const { child, ended } = await start('idle');
      child.kill(signal);
      const { exit, lines } = await ended();
      expect(exit).toEqual([0, null]);
      expect(lines.map(({ msg }) => msg)).toEqual(['stopping', ...closed]);
      expect(lines[0]).toMatchObject({ reason: signal });
    },
  );

  const codes = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  it.each(sampleOf(codes, 1))('exits at once on a second %s', async (signal, code) => {
    const { child, ended } = await start('hanging', 60_000);
    await sendTwice(child, signal);
    const { exit, lines } = await ended();
    expect(exit).toEqual([code, null]);
    expect(lines.at(-1)).toMatchObject({ signal, msg: 'Exiting at once on a second signal' });
  });

  it('does not take a repeated SIGHUP for impatience', async () => {
    const { child, ended } = await start('hanging', 1500);
    await sendTwice(child, 'SIGHUP');
    const { exit, lines } = await ended();
    expect(exit).toEqual([1, null]);
    expect(lines.map(({ msg }) => msg)).toContain('first closed');
  });

  it('exits while the system waits for a name server', async (context) => {
    const wrap = onStuckNameServer();
    if (wrap === undefined) return context.skip('needs unshare, mount and ip');
    const { child, ended } = await start('looking up', 10_000, { wrap });
    child.kill('SIGTERM');
    const { exit, lines } = await ended();
    expect(exit).toEqual([0, null]);
    expect(lines.map(({ msg }) => msg)).toEqual(['stopping', ...closed]);
  });

  it.sequential('ignores the echo of a signal', async () => {
    const { child, ended } = await start('hanging', 1500);
    child.kill('SIGINT');
    child.kill('SIGINT');
    await sleep(100);
    child.kill('SIGINT');
    const { exit, lines } = await ended();
    expect(exit).toEqual([1, null]);
    expect(lines).toContainEqual(expect.objectContaining({ parts: ['hanging'] }));
    expect(lines.map(({ msg }) => msg)).toContain('first closed');
  });

  it.each([
    ['throwing', 'Uncaught exception'],
    ['rejecting', 'Unhandled rejection'],
  ])('that is %s logs the error, closes everything and exits with 1', async (situation, msg) => {
    const { ended } = await start(situation);
    const { exit, lines } = await ended();
    expect(exit).toEqual([1, null]);
    expect(lines[0]).toMatchObject({ level: 'fatal', msg, err: { message: 'nobody caught this' } });
    expect(lines.map((line) => line.msg)).toEqual([msg, 'stopping', ...closed]);
  });

  it('stops when the program calls stop', async () => {
    const { ended } = await start('stopping');
    const { exit, lines } = await ended();
    expect(exit).toEqual([0, null]);
    expect(lines.map(({ msg }) => msg)).toEqual(['stopping', ...closed]);
  });
});
