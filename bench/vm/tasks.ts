import { toNano } from '@ton/core';
import type { RunWire } from '../../src/vm/runs.ts';
import {
  encodeGetMethod,
  encodeTransaction,
  type GetMethodRun,
  type TransactionRun,
} from '../../src/vm/runs.ts';
import type { Vm } from '../../src/vm/vm.ts';
import type { Runner } from '../../src/vm/worker/runner.ts';
import {
  boc,
  codeRun,
  config,
  payment,
  RAND_SEED,
  shardAccount,
  UTIME,
  wallet,
} from '../../test/vm/built-data.ts';

const SEQNO = 85143;
const BATCH = 100;

const limits = { timeoutMs: 600_000 };

const seqno: GetMethodRun = codeRun(wallet.init.code, { data: boc(wallet.init.data), methodId: SEQNO });
/** CONFIGROOT. */
const configReader = codeRun('FF00F829');
const account = shardAccount(wallet.address, toNano(1000), wallet.init);
const context = { config, lt: 1_000_000n, utime: UTIME, randSeed: RAND_SEED };

/** Consecutive payments of one wallet: only the first has an account state, the others continue from the one before. */
const payments: readonly TransactionRun[] = Array.from({ length: BATCH }, (_, number) => ({
  ...context,
  message: payment(number),
  ...(number === 0 ? { shardAccount: account } : {}),
}));

/** A measured task. */
export interface Task {
  readonly name: string;
  /** The name of the task that does the same without threads. */
  readonly baseline: string | undefined;
  /** Does at least `runs` runs; returns how many. */
  run(runs: number): Promise<number>;
}

/** All tasks, with a VM of one thread and a runner of the emulator in this thread. */
export function tasksOf(vm: Vm, runner: Runner): readonly Task[] {
  const direct = (name: string, wires: readonly RunWire[]): Task => ({
    name,
    baseline: undefined,
    run: async (runs) => {
      let done = 0;
      for (; done < runs; done += wires.length) check((await runner.work(workOf(wires), () => {})).replies);
      return done;
    },
  });
  const oneByOne = (name: string, baseline: string, once: () => Promise<object>): Task => ({
    name,
    baseline,
    run: async (runs) => {
      for (let i = 0; i < runs; i++) check([await once()]);
      return runs;
    },
  });
  const atOnce = (name: string, baseline: string, once: () => Promise<object>): Task => ({
    name,
    baseline,
    run: async (runs) => {
      check(await Promise.all(Array.from({ length: runs }, once)));
      return runs;
    },
  });
  const getMethod = (run: GetMethodRun) => () => vm.runGetMethod(run, limits);
  const whole = { ...seqno, config: { ...config, trimmed: undefined } };
  const first = () => vm.runTransaction(payments[0]!, limits);
  const directGet = 'seqno, emulator called directly';
  const directPay = 'payment, emulator called directly';
  return [
    direct(directGet, [encodeGetMethod(seqno)]),
    atOnce('seqno, many jobs at once', directGet, getMethod(seqno)),
    oneByOne('seqno, one job at a time', directGet, getMethod(seqno)),
    atOnce('seqno on the whole configuration', directGet, getMethod(whole)),
    atOnce('method that reads the configuration', directGet, getMethod(configReader)),
    direct(directPay, payments.map(encodeTransaction)),
    {
      name: `payment, jobs of ${BATCH}`,
      baseline: directPay,
      run: async (runs) => {
        let done = 0;
        for (; done < runs; done += BATCH) check(await vm.runTransactions(payments, limits));
        return done;
      },
    },
    atOnce('payment, many jobs at once', directPay, first),
    oneByOne('payment, one job at a time', directPay, first),
  ];
}

function workOf(runs: readonly RunWire[]) {
  const fresh = [config.full, config.trimmed!, config.limits!].map(({ key, text }) => [key, text] as const);
  return { runs, fresh, forgotten: [] };
}

function check(results: readonly object[]): void {
  for (const result of results)
    if (('exitCode' in result && result.exitCode !== 0) || ('kind' in result && result.kind !== 'done'))
      throw new Error(`Run failed: ${JSON.stringify(result)}`);
}
