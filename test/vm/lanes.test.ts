import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { intEntry } from '../../src/chain/stack/entries.ts';
import { writeStackBoc } from '../../src/chain/stack/vm-stack.ts';
import { VmRunTooLong } from '../../src/vm/errors.ts';
import {
  createVm,
  createVmBudget,
  LIGHT_GAS,
  type Vm,
  type VmOptions,
  VmTimeSpent,
} from '../../src/vm/vm.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { sharedVm } from '../support/shared-vm.ts';
import { codeRun } from './built-data.ts';

const limits = { timeoutMs: 60_000 };
const quick = codeRun('FF0071');
/** NOP without end, with gas for minutes. */
const endless = codeRun('FF009100EA', { gasLimit: 1_000_000_000, methodId: 9 });
const PAYER = { id: 'somebody', rps: 1 };

const opened: Vm[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((vm) => vm.close()));
});

/** A virtual machine with two lanes; the lanes of its runs, and why threads were replaced. */
function createMachine(options: Partial<VmOptions> = {}) {
  const [lanes, ends]: [string[], string[]] = [[], []];
  const metrics = {
    threadTime: (lane: string) => lanes.push(lane),
    threadEnded: (reason: string) => ends.push(reason),
  };
  const vm = createVm({ log: createQuietLog(), metrics, threads: 1, heavyThreads: 1, ...options });
  return { vm, lanes, ends };
}

/** The same for one test. */
function open(options: Partial<VmOptions>) {
  const machine = createMachine(options);
  opened.push(machine.vm);
  return machine;
}

describe('light and heavy runs of get-methods', () => {
  const { vm, lanes } = createMachine();
  beforeEach(() => void lanes.splice(0));
  afterAll(() => vm.close());

  it('have the results of a single run', async () => {
    const cases: Record<string, [code: string, lanes: string]> = {
      'a light one': ['FF0071', 'light'],
      // PUSHINT 3000, CONT { NOP }, REPEAT
      'a loop that ends': ['FF00810BB89100E471', 'light heavy'],
      'a loop without end': ['FF009100EA', 'light heavy'],
      // CONT { CONT { NOP }, AGAIN }, CONT { }, TRY: out of gas cannot be caught.
      'a loop in a TRY': ['FF00939100EA90F2FF71', 'light heavy'],
      // ACCEPT raises the limit to the maximum, so this one ends with more gas than it was given.
      'ACCEPT and a loop that ends': ['FF00F800810BB89100E471', 'light'],
      // SETGASLIMIT to 2000 and to 50 000
      'a limit of its own': ['FF008107D0F8019100EA', 'light'],
      'a larger limit of its own': ['FF008200C350F8019100EA', 'light heavy'],
      // RUNVM of CONT { NOP }, AGAIN: with all gas, with 5000 and with 50 000.
      'a child machine': ['FF00708B39100EA8DB4000', 'light heavy'],
      'a child machine with little gas': ['FF00708B39100EA8811388DB4008', 'light'],
      'a child machine with more gas': ['FF00708B39100EA88200C350DB4008', 'light heavy'],
    };
    for (const [name, [code, expected]] of Object.entries(cases)) {
      lanes.length = 0;
      const run = codeRun(code, { gasLimit: 80_000, verbosity: 0 });
      const [found, single] = [
        await vm.runGetMethod(run, limits),
        await sharedVm().runGetMethod(run, limits),
      ];
      expect(found, name).toEqual(single);
      expect([name, lanes.join(' ')]).toEqual([name, expected]);
    }
  });

  it('are remembered by code and method until they are light again', async () => {
    // DROP the id, CONT { NOP }, REPEAT as often as the argument says.
    const repeat = (times: number, methodId = 1) =>
      vm.runGetMethod(
        codeRun('FF00309100E471', { methodId, stack: writeStackBoc([intEntry(times)]) }),
        limits,
      );
    expect((await repeat(3000)).gasUsed).toBeGreaterThan(LIGHT_GAS);
    await repeat(3000);
    await repeat(5, 2);
    await repeat(5);
    await repeat(5);
    expect(lanes).toEqual(['light', 'heavy', 'heavy', 'light', 'heavy', 'light']);
  });

  it('are stopped when a contract raises its gas limit without end', async () => {
    const { vm, lanes, ends } = open({ runLimitMs: 800 });
    await vm.runGetMethod(quick, limits);
    // ACCEPT, CONT { NOP }, AGAIN
    const accepting = (methodId: number) => codeRun('FF00F8009100EA', { methodId });
    await expect(vm.runGetMethod(accepting(1), limits)).rejects.toBeInstanceOf(VmRunTooLong);
    await expect(vm.runGetMethod(accepting(2), limits)).rejects.toBeInstanceOf(VmRunTooLong);
    expect(await vm.runGetMethod(quick, limits)).toMatchObject({ exitCode: 0 });
    expect([lanes, ends]).toEqual([
      ['light', 'light', 'heavy', 'heavy', 'light'],
      ['timeout', 'timeout', 'timeout'],
    ]);
  });

  // The last one: the run goes on until the machine is closed.
  it('do not wait for each other', async () => {
    let isOver = false;
    const heavy = vm.runGetMethod(endless, limits).finally(() => {
      isOver = true;
    });
    heavy.catch(() => {});
    // The heavy one has tried the light lane and left it, or is about to.
    for (let i = 0; i < 10; i++) expect(await vm.runGetMethod(quick, limits)).toMatchObject({ exitCode: 0 });
    await vi.waitFor(() => expect(vm.state()).toMatchObject({ threads: 2, busy: 1 }), 120_000);
    for (let i = 0; i < 10; i++) expect(await vm.runGetMethod(quick, limits)).toMatchObject({ exitCode: 0 });
    expect(isOver).toBe(false);
  });
});

describe('the TVM time of a caller', () => {
  /** A machine, and the budget that it draws on, of which hardly anything is left. */
  function openSpent(options: Partial<VmOptions> = {}) {
    const budget = createVmBudget({ msPerRps: 1, now: () => 0 });
    budget.take(PAYER).charge(3999.99);
    return { budget, ...open({ budget, heavyThreads: 0, ...options }) };
  }

  it('is charged for what its runs take of a thread, and then refused', async () => {
    const { vm } = openSpent();
    vm.admit(PAYER);
    // The wait for a thread that starts is free, and so is work of our own.
    for (let i = 0; i < 3; i++) await vm.runGetMethod(quick, limits);
    vm.admit(PAYER);
    await vm.runGetMethod(quick, { ...limits, payer: PAYER });
    expect(() => vm.admit(PAYER)).toThrow(VmTimeSpent);
    expect(() => vm.admit(PAYER)).toThrow(
      expect.objectContaining({ kind: 'rate_limited', retryAfterSeconds: expect.any(Number) }),
    );
    vm.admit({ id: 'somebody else', rps: 1 });
    vm.admit(undefined);
  });

  it('is charged for runs that fail and for those nobody waits for', async () => {
    const { vm, budget } = openSpent({ runLimitMs: 500 });
    await vm.runGetMethod(quick, limits);
    const late = vm.runGetMethod(endless, { timeoutMs: 100, payer: PAYER });
    await expect(late).rejects.toMatchObject({ kind: 'timeout' });
    // Until its thread is ended.
    await vi.waitFor(() => expect(budget.retrySeconds(PAYER)).toBeGreaterThan(400), 120_000);
  });
});
