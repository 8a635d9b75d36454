import { afterEach, describe, expect, it } from 'vitest';
import { VmRefusal, VmRunTooLong } from '../../src/vm/errors.ts';
import { createVm, type Vm, type VmOptions } from '../../src/vm/vm.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { codeRun } from './built-data.ts';

const limits = { timeoutMs: 60_000 };
/** NOP without end, with gas for minutes. */
const endless = codeRun('FF009100EA', { gasLimit: 1_000_000_000 });
const quick = codeRun('FF0071');

let vm: Vm;
afterEach(() => vm.close());

/** A virtual machine and what it counted. */
function open(options: Partial<VmOptions>): { ends: string[]; outcomes: string[] } {
  const [ends, outcomes]: [string[], string[]] = [[], []];
  const metrics = {
    jobDone: (outcome: string, runs: number) => outcomes.push(`${outcome} ${runs}`),
    threadEnded: (reason: string) => ends.push(reason),
  };
  vm = createVm({ log: createQuietLog(), metrics, threads: 1, ...options });
  return { ends, outcomes };
}

describe('virtual machine', () => {
  it('replaces the thread of a run that exceeds the time limit', async () => {
    const { ends, outcomes } = open({ runLimitMs: 500 });
    const jobs = [vm.runGetMethod(endless, limits), vm.runGetMethod(quick, limits)];
    await expect(jobs[0]).rejects.toBeInstanceOf(VmRunTooLong);
    expect(await jobs[1]).toMatchObject({ exitCode: 0 });
    expect([ends, outcomes]).toEqual([['timeout'], ['timeout 1', 'ok 1']]);
  });

  it('rejects runs after the timeout of the caller', async () => {
    open({ runLimitMs: 60_000, timeoutMs: 100 });
    await vm.warm();
    await expect(vm.runGetMethod(endless)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(vm.runGetMethod(quick, { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' });
    const closing = vm.runGetMethod(quick, limits);
    const closed = expect(closing).rejects.toMatchObject({ kind: 'unavailable' });
    await vm.close();
    await closed;
  });

  it('replaces a thread whose emulator holds too much memory', async () => {
    const { ends } = open({ maxMemoryBytes: 1000 });
    for (let i = 0; i < 2; i++) expect(await vm.runGetMethod(quick, limits)).toMatchObject({ exitCode: 0 });
    await vm.warm();
    expect(ends).toEqual(['memory', 'memory']);
  });

  it('runs several get-methods in one job, with a failure for what it refuses', async () => {
    const { outcomes } = open({ threads: 2 });
    const runs = [quick, { ...quick, code: Buffer.from('no code') }, codeRun('FF0072')];
    const [first, refused, last] = await vm.runGetMethods(runs, limits);
    expect([first, last]).toEqual([
      await vm.runGetMethod(runs[0]!, limits),
      await vm.runGetMethod(runs[2]!, limits),
    ]);
    expect(refused).toBeInstanceOf(VmRefusal);
    expect(outcomes).toEqual(['ok 3', 'ok 1', 'ok 1']);
    expect(vm.state().threads).toBe(1);
    await expect(vm.runGetMethods([quick, endless], { timeoutMs: 500 })).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it('starts only as many threads as there is work for', async () => {
    open({ threads: 4 });
    await vm.runGetMethod(quick, limits);
    await vm.runGetMethod(quick, limits);
    expect(vm.state()).toEqual({ threads: 1, busy: 0, queued: 0 });
  });
});
