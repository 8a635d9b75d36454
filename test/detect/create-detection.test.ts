import { beginCell, type Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodIdByName } from '../../src/chain/contracts/method-ids.ts';
import { type ContractReader, throwMismatch } from '../../src/chain/contracts/probe.ts';
import { intEntry } from '../../src/chain/stack/entries.ts';
import { CONTRACT_TABLES, type ContractTable } from '../../src/db/tables/contract-tables.ts';
import type { Detector } from '../../src/detect/detection.ts';
import type { ContractColumns } from '../../src/index/write/write-contracts.ts';
import { bytesKey } from '../../src/lib/bytes-key.ts';
import { VmOverloaded, VmRunTooLong } from '../../src/vm/errors.ts';
import { createVm, type Vm } from '../../src/vm/vm.ts';
import { getMethodCode } from '../support/get-method-code.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import {
  codeOf,
  type DetectionTestContext,
  madeAccount,
  numbered,
  openDetectionTestContext,
  runDetection,
  stateOf,
  TIMESTAMP,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let context: DetectionTestContext;

beforeAll(async () => {
  context = await openDetectionTestContext();
});
afterAll(() => context.close());

/** A detector that reads one number by a method of its own. */
function numberOf(table: ContractTable, method: string, more: Partial<Detector> = {}): Detector {
  return {
    table,
    methods: [[method]],
    detect: async (probe) => columns((await probe.run(method)).integer(0)),
    ...more,
  };
}

const columns = (value: unknown): ContractColumns => ({ value }) as unknown as ContractColumns;
const MASTER = numberOf('jetton_masters', 'get_one');
const WALLET = numberOf('jetton_wallets', 'get_two');
const ONE = getMethodCode({ get_one: [int(1)] });
const TWO = getMethodCode({ get_two: [int(2)] });
const BOTH = getMethodCode({ get_one: [int(1)], get_two: [int(2)] });
const PLAIN = getMethodCode({ seqno: [int(5)] });

/** Code without a dictionary: get_one returns 1, other methods an exit code (11 with current compilers, 32 in old wallets). */
function formless(exitCode: number): Cell {
  const one = beginCell().storeUint(0x3071, 16).endCell();
  // SETCP 0, DUP, PUSHINT, EQUAL, PUSHREFCONT, IFJMP, THROW.
  return beginCell()
    .storeUint(0xff0020, 24)
    .storeUint(0x82, 8)
    .storeUint(methodIdByName('get_one'), 24)
    .storeUint(0xba8a, 16)
    .storeRef(one)
    .storeUint(0xe0, 8)
    .storeUint(0xf2c000 | exitCode, 24)
    .endCell();
}

const open = (detectors: readonly Detector[], options = {}) => {
  const detection = context.detection(detectors, options);
  return { detection, session: detection.open({ follows: true }) };
};
const given = (...codes: Cell[]) => ({ codes: codes.map(codeOf) });

describe('the detector plan', () => {
  it('runs the detectors whose methods the code has', async () => {
    const { detection, session: one } = open([MASTER, WALLET]);
    const states = [ONE, TWO, BOTH].map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { found, undetected } = await runDetection(one, states, given(ONE, TWO, BOTH));
    expect(found.map(({ table, account, columns: of }) => [table, account, ...Object.values(of)])).toEqual([
      ['jetton_masters', madeAccount(0), 1n],
      ['jetton_wallets', madeAccount(1), 2n],
      ['jetton_masters', madeAccount(2), 1n],
      ['jetton_wallets', madeAccount(2), 2n],
    ]);
    expect(found[0]).toMatchObject({
      lastTransLt: 1000n,
      codeHash: ONE.hash(),
      dataHash: numbered(0).hash(),
    });
    expect(undetected.size).toBe(0);
    expect(detection.stats()).toMatchObject({ runs: 4, hits: 0, accounts: 3 });
  });

  it('needs neither data nor a run if no detector applies', async () => {
    const { detection, session: one } = open([MASTER]);
    // Data that is not stored: it must not be read.
    const state = { ...stateOf({ account: 1, code: PLAIN, data: numbered(1) }), data: undefined };
    const { found, undetected, withdrawn } = await runDetection(one, [state], given(PLAIN));
    expect([found.length, undetected.size, withdrawn.size]).toEqual([0, 0, 0]);
    expect(detection.stats()).toMatchObject({ runs: 0, queries: 0, accounts: 1 });
  });

  it('compares code hashes if a detector lists them', async () => {
    const picky = numberOf('vestings', 'get_one', {
      codes: new Set([ONE.hash().toString('hex').toUpperCase()]),
    });
    const { session: one } = open([picky]);
    const states = [ONE, BOTH].map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { found } = await runDetection(one, states, given(ONE, BOTH));
    expect(found.map(({ account }) => account)).toEqual([madeAccount(0)]);
  });

  it('reads codes and data from the database', async () => {
    const { session: one } = open([MASTER]);
    const kept = stateOf({ account: 20, code: ONE, data: numbered(20) });
    await context.keep(kept, codeOf(ONE));
    const unknown = stateOf({ account: 21, code: getMethodCode({ get_one: [int(9)] }), data: numbered(21) });
    const changed = { ...kept, account: madeAccount(22), data: undefined };
    const { found, undetected } = await runDetection(one, [{ ...kept, data: undefined }, unknown, changed]);
    expect(found.map(({ account }) => account)).toEqual([madeAccount(20)]);
    expect(undetected).toEqual(new Set([bytesKey(madeAccount(21)), bytesKey(madeAccount(22))]));
  });

  it('tries all methods of code without a dictionary, and learns which exist', async () => {
    for (const [exit, batches] of [
      [11, 1],
      [32, 3],
    ] as const) {
      const code = formless(exit);
      const { detection, session: one } = open([MASTER, WALLET]);
      for (let i = 0; i < 6; i++) {
        const state = stateOf({ account: i, code, data: numbered(i) });
        const { found } = await runDetection(one, [state], given(code));
        expect(found.map(({ table }) => table)).toEqual(['jetton_masters']);
      }
      expect(detection.stats().runs).toBe(6 + batches);
    }
  });
});

describe('get-method results', () => {
  it('are cached while code and data are the same', async () => {
    const { detection, session: one } = open([MASTER]);
    const state = stateOf({ account: 1, code: ONE, data: numbered(1) });
    await runDetection(one, [state], given(ONE));
    await runDetection(one, [{ ...state, lastTransLt: 2000n }]);
    await runDetection(detection.open({ follows: false }), [state]);
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 2 });
    await runDetection(one, [stateOf({ account: 1, code: ONE, data: numbered(2) })]);
    await runDetection(one, [stateOf({ account: 2, code: ONE, data: numbered(2) })]);
    expect(detection.stats()).toMatchObject({ runs: 3, hits: 2 });
  });

  it('are shared by concurrent detectors', async () => {
    const { detection, session: one } = open([MASTER, numberOf('nft_items', 'get_one')]);
    await runDetection(one, [stateOf({ account: 1, code: ONE, data: numbered(1) })], given(ONE));
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
  });

  it('are cached per argument list', async () => {
    const code = getMethodCode({ get_one: { code: beginCell().endCell() } });
    const detect = async (probe: ContractReader) => {
      const [a, b, again] = [
        await probe.run('get_one', [intEntry(7)]),
        await probe.run('get_one', [intEntry(8)]),
        await probe.run('get_one', [intEntry(7)]),
      ];
      return columns([a.integer(0), b.integer(0), again.integer(0)]);
    };
    const { detection, session: one } = open([{ ...MASTER, detect: detect }]);
    const { found } = await runDetection(
      one,
      [stateOf({ account: 1, code, data: numbered(1) })],
      given(code),
    );
    expect(found[0]!.columns).toEqual({ value: [7n, 8n, 7n] });
    expect(detection.stats()).toMatchObject({ runs: 2, hits: 1 });
  });

  it('depend on the time of the block and any balance', async () => {
    // NOW, then the first of BALANCE.
    const code = getMethodCode({ get_one: { code: beginCell().storeUint(0xf823f8276f10, 48).endCell() } });
    const detect = async (probe: ContractReader) => {
      const result = await probe.run('get_one');
      return columns([result.integer(0), result.integer(1)]);
    };
    const { session: one } = open([{ ...MASTER, detect }]);
    const state = stateOf({ account: 1, code, data: numbered(1), balance: 2n ** 80n });
    const { found } = await runDetection(
      one,
      [state, { ...state, account: madeAccount(2), balance: 7n }],
      given(code),
    );
    expect(found.map((one) => one.columns)).toEqual([
      // The largest balance that the emulator accepts.
      { value: [BigInt(TIMESTAMP), expect.any(BigInt)] },
      { value: [BigInt(TIMESTAMP), 7n] },
    ]);
  });
});

describe('withdrawn contracts', () => {
  const nowhere = (detected: { withdrawn: ReadonlyMap<ContractTable, readonly Buffer[]> }) =>
    Object.fromEntries(detected.withdrawn);

  it('include deleted contracts, from all tables', async () => {
    const { session: one } = open([MASTER]);
    const deleted = stateOf({ account: 1, mayHaveChangedCode: true });
    const same = stateOf({ account: 2 });
    const detected = await runDetection(one, [
      deleted,
      same,
      { ...deleted, account: madeAccount(3), isMissing: true },
    ]);
    expect(nowhere(detected)).toEqual(
      Object.fromEntries(CONTRACT_TABLES.map((table) => [table, [madeAccount(1)]])),
    );
    expect(detected.undetected).toEqual(new Set([bytesKey(madeAccount(3))]));
  });

  it('include detector mismatches, and after a code change all other tables', async () => {
    const { session: one } = open([MASTER, WALLET]);
    const code = getMethodCode({ get_one: { throws: 100 }, get_two: [int(2)] });
    const state = stateOf({ account: 1, code, data: numbered(1) });
    const detected = await runDetection(one, [state], given(code));
    expect(nowhere(detected)).toEqual({ jetton_masters: [state.account] });
    expect(detected.found.map(({ table }) => table)).toEqual(['jetton_wallets']);
    const other = await runDetection(one, [{ ...state, mayHaveChangedCode: true }]);
    expect(Object.keys(nowhere(other)).sort()).toEqual(
      CONTRACT_TABLES.filter((table) => table !== 'jetton_wallets').sort(),
    );
    expect(other.found).toHaveLength(1);
  });

  it('exclude a table that another detector fills', async () => {
    const none = numberOf('jetton_masters', 'get_one', { detect: async () => throwMismatch('never') });
    for (const detectors of [
      [none, MASTER],
      [MASTER, none],
    ]) {
      const { session: one } = open(detectors);
      const detected = await runDetection(
        one,
        [stateOf({ account: 1, code: ONE, data: numbered(1) })],
        given(ONE),
      );
      expect([detected.found.length, detected.withdrawn.size]).toEqual([1, 0]);
    }
  });
});

describe('hostile contracts', () => {
  /** Data whose first bit is set. */
  const LOOPS = 2 ** 63;

  it('are mismatches: wrong types, empty stacks, exceptions', async () => {
    const results = [[], [{ type: 'null' } as const], { throws: 1000 }, [{ type: 'nan' } as const]];
    const codes = results.map((get_one) => getMethodCode({ get_one }));
    const { session: one } = open([MASTER]);
    const states = codes.map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { withdrawn, undetected } = await runDetection(one, states, given(...codes));
    expect(withdrawn.get('jetton_masters')).toHaveLength(results.length);
    expect(undetected.size).toBe(0);
  });

  it('are not run again after a method used all gas three times', async () => {
    const code = getMethodCode({ get_one: { loops: true }, get_two: [int(2)] });
    const { detection, session: one } = open([MASTER, WALLET]);
    for (let i = 0; i < 5; i++) {
      const state = stateOf({ account: i, code, data: numbered(i) });
      const { found, withdrawn, undetected } = await runDetection(one, [state], given(code));
      expect([found.length, withdrawn.get('jetton_masters'), undetected.size]).toEqual([
        1,
        [state.account],
        0,
      ]);
    }
    expect(detection.stats().runs).toBe(3 + 5);
  });

  it('do not disable a method that succeeded once', async () => {
    const code = getMethodCode({ get_one: { returns: [int(1)], orLoops: true } });
    const { session: one } = open([MASTER]);
    const foundCount = async (account: number, data: number) =>
      (await runDetection(one, [stateOf({ account, code, data: numbered(data) })], given(code))).found.length;
    expect(await foundCount(100, 7)).toBe(1);
    for (let i = 0; i < 4; i++) expect(await foundCount(i, LOOPS)).toBe(0);
    expect(await foundCount(101, 8)).toBe(1);
  });

  it('are put off when their code burns gas after it was recognised, and detected later', async () => {
    let nowMs = 0;
    const code = getMethodCode({ get_one: { returns: [int(1)], orLoops: true } });
    const { detection, session: one } = open([MASTER], { now: () => nowMs });
    const detect = (states: readonly ReturnType<typeof stateOf>[]) =>
      runDetection(one, states, given(code, ONE));
    const honest = (account: number) => stateOf({ account, code, data: numbered(account) });
    expect((await detect([honest(100)])).found).toHaveLength(1);

    const burning = Array.from({ length: 30 }, (_, i) =>
      stateOf({ account: i, code, data: numbered(LOOPS) }),
    );
    const other = stateOf({ account: 200, code: ONE, data: numbered(200) });
    const first = await detect([...burning, other]);
    expect(first.found.map(({ account }) => account)).toEqual([other.account]);
    const done = first.withdrawn.get('jetton_masters')!.length;
    // Five runs use up what a code may burn; seven more may be under way by then.
    expect(done).toBeGreaterThanOrEqual(5);
    expect(done).toBeLessThanOrEqual(5 + 7);
    expect(first.undetected.size).toBe(burning.length - done);
    // Further runs got little gas, and then none.
    const { runs } = detection.stats();
    const second = await detect(burning.slice(done).concat(honest(101)));
    expect([second.found.length, second.withdrawn.size]).toEqual([0, 0]);
    expect(detection.stats().runs - runs).toBeLessThanOrEqual(8);

    nowMs += 600_000;
    const third = await detect([honest(101), ...burning.slice(-3)]);
    expect([third.found.length, third.undetected.size]).toEqual([1, 0]);
    expect(third.withdrawn.get('jetton_masters')).toHaveLength(3);
  });

  it('are put off when their runs take long without a result', async () => {
    // Runs that are given up with their batch; the thread goes on for a while.
    const vm: Pick<Vm, 'runGetMethod' | 'runGetMethods'> = {
      runGetMethods: context.vm.runGetMethods,
      runGetMethod: (_run, limits) =>
        new Promise((_, reject) => {
          limits!.signal!.addEventListener('abort', () => {
            reject(limits!.signal!.reason);
            limits!.onEnd!(3300, 0);
          });
        }),
    };
    const { detection, session: one } = open([MASTER], { vm, now: () => 0 });
    for (const runs of [1, 2, 2]) {
      const state = stateOf({ account: runs, code: ONE, data: numbered(runs) });
      const { undetected } = await runDetection(one, [state], { ...given(ONE), timeoutMs: 300 });
      expect([undetected.size, detection.stats().runs]).toEqual([1, runs]);
    }
  });

  it('of many codes are put off together, but not contracts that are known to be cheap', async () => {
    const { session: one } = open([MASTER], { now: () => 0 });
    const cheap = (account: number) => stateOf({ account, code: ONE, data: numbered(account) });
    await runDetection(one, [cheap(100)], given(ONE));
    const codes = Array.from({ length: 60 }, (_, i) =>
      getMethodCode({ get_one: { loops: true }, [`get_${i}`]: [] }),
    );
    const states = codes.map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { found, withdrawn, undetected } = await runDetection(
      one,
      [...states, cheap(101)],
      given(...codes, ONE),
    );
    expect(found.map(({ account }) => account)).toEqual([madeAccount(101)]);
    expect(withdrawn.get('jetton_masters')!.length).toBeGreaterThanOrEqual(20);
    // As many accounts as are detected at the same time may be under way when it is too much.
    expect(undetected.size).toBeGreaterThanOrEqual(60 - 20 - 24);
  });

  it('leave an account undetected if a detector throws', async () => {
    const log = createQuietLog();
    const broken = { ...MASTER, detect: () => Promise.reject(new TypeError('a fault of ours')) };
    const { session: one } = open([broken, WALLET], { log });
    const { found, undetected } = await runDetection(
      one,
      [stateOf({ account: 1, code: BOTH, data: numbered(1) })],
      given(BOTH),
    );
    expect([found.length, undetected.size]).toEqual([0, 1]);
    expect(log.texts()).toEqual(['Contract detection failed']);
  });
});

describe('detection in bulk', () => {
  const LOOPS = 2 ** 63;
  const openBulk = (runGetMethods: Vm['runGetMethods'] = context.vm.runGetMethods) => {
    const jobs: number[] = [];
    const vm: Pick<Vm, 'runGetMethod' | 'runGetMethods'> = {
      runGetMethod: context.vm.runGetMethod,
      runGetMethods(methods, limits) {
        jobs.push(methods.length);
        return runGetMethods(methods, limits);
      },
    };
    const detection = context.detection([MASTER, WALLET], { vm, now: () => 0 });
    return { jobs, detection, session: detection.open({ follows: false, inBulk: true }) };
  };
  const many = (code: Cell, count = 100) =>
    Array.from({ length: count }, (_, i) => stateOf({ account: i, code, data: numbered(i) }));

  it('runs cheap methods several at once, with the same results', async () => {
    const refused = getMethodCode({ get_one: { throws: 100 }, get_two: [int(2)] });
    const states = [...many(BOTH), stateOf({ account: 200, code: refused, data: numbered(200) })];
    const { jobs, session } = openBulk();
    await runDetection(session, many(BOTH, 1), given(BOTH));
    expect(jobs).toEqual([]);
    const detected = await runDetection(session, states, given(BOTH, refused));
    const { session: other } = open([MASTER, WALLET]);
    expect(detected).toEqual(await runDetection(other, states, given(BOTH, refused)));
    expect(detected.found).toHaveLength(201);
    expect(Math.max(...jobs)).toBe(16);
  });

  it('gives a method that was cheap all gas when it needs it', async () => {
    const code = getMethodCode({ get_one: { returns: [int(1)], orLoops: true } });
    const { session, detection } = openBulk();
    const burning = stateOf({ account: 200, code, data: numbered(LOOPS) });
    await runDetection(session, many(code, 1), given(code));
    const { runs } = detection.stats();
    const { found, withdrawn, undetected } = await runDetection(session, [burning, ...many(code, 40)]);
    expect([found.length, withdrawn.get('jetton_masters'), undetected.size]).toEqual([
      40,
      [burning.account],
      0,
    ]);
    // The one that is cached, and one that was repeated.
    expect(detection.stats().runs - runs).toBe(41);
  });

  it('puts off a code that burns gas after it was recognised', async () => {
    const code = getMethodCode({ get_one: { returns: [int(1)], orLoops: true } });
    const { session } = openBulk();
    await runDetection(session, many(code, 1), given(code));
    const burning = Array.from({ length: 100 }, (_, i) =>
      stateOf({ account: i + 300, code, data: numbered(LOOPS) }),
    );
    const { found, withdrawn, undetected } = await runDetection(session, burning);
    expect(found).toEqual([]);
    expect(withdrawn.get('jetton_masters')?.length ?? 0).toBeLessThanOrEqual(5 + 7);
    expect(undetected.size).toBeGreaterThanOrEqual(100 - 12);
  });

  it('runs the methods of a job one by one if its thread was ended', async () => {
    const { jobs, session } = openBulk(async () => {
      throw new VmRunTooLong(100);
    });
    const { found } = await runDetection(session, many(ONE), given(ONE));
    expect(found).toHaveLength(100);
    expect(jobs.length).toBeGreaterThan(0);
  });

  it('leaves accounts undetected when the machine is closed or overloaded', async () => {
    const { session } = openBulk(async () => {
      throw new VmOverloaded();
    });
    await runDetection(session, many(ONE, 1), given(ONE));
    const { found, undetected } = await runDetection(session, many(ONE));
    // The one that is cached.
    expect([found.length, undetected.size]).toEqual([1, 99]);
  });
});

describe('a failing virtual machine', () => {
  const states = Array.from({ length: 20 }, (_, i) => stateOf({ account: i, code: ONE, data: numbered(i) }));

  it('leaves accounts undetected, some or all', async () => {
    const vm = createVm({ log: createQuietLog(), threads: 1, queueLimit: 1 });
    const { session: one } = open([MASTER], { vm });
    const busy = await runDetection(one, states, given(ONE));
    expect(busy.withdrawn.size).toBe(0);
    expect(busy.undetected.size).toBeGreaterThan(0);
    expect(busy.found.length + busy.undetected.size).toBe(states.length);
    await vm.close();
    const fresh = open([MASTER], { vm });
    const closed = await runDetection(fresh.session, states, given(ONE));
    expect([closed.found.length, closed.withdrawn.size, closed.undetected.size]).toEqual([0, 0, 20]);
  });

  it('stops at the time limit of the batch', async () => {
    const code = getMethodCode({ get_one: { loops: true } });
    const many = Array.from({ length: 60 }, (_, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { session: one } = open([MASTER]);
    const none = await runDetection(one, many, { ...given(code), timeoutMs: 0 });
    expect([none.withdrawn.size, none.undetected.size]).toEqual([0, 60]);
    // With a cached configuration there is time for some of the runs.
    await runDetection(one, [stateOf({ account: 1, code: ONE, data: numbered(1) })], given(ONE));
    const { withdrawn, undetected } = await runDetection(one, many, { timeoutMs: 30 });
    expect((withdrawn.get('jetton_masters')?.length ?? 0) + undetected.size).toBe(60);
  });

  it('stops when the caller aborts', async () => {
    const { session: one } = open([MASTER]);
    const deleted = new AbortController();
    const waiting = runDetection(one, states, { ...given(ONE), signal: deleted.signal });
    deleted.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(runDetection(one, states, { signal: deleted.signal })).rejects.toThrow('enough');
  });
});
