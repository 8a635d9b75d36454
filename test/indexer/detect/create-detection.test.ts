import { beginCell, type Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import { type ContractReader, throwMismatch } from '../../../src/chain/contracts/probe.ts';
import { intEntry } from '../../../src/chain/stack/entries.ts';
import { CONTRACT_TABLES, type ContractTable } from '../../../src/db/contract-tables.ts';
import type { ContractColumns, Detector } from '../../../src/indexer/detect/detection.ts';
import { keyOf } from '../../../src/indexer/hash-key.ts';
import { createVm } from '../../../src/vm/vm.ts';
import { answeringCode } from '../../support/answering-contract.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import {
  codeOf,
  type DetectionTestContext,
  judge,
  madeAccount,
  numbered,
  openDetectionTestContext,
  stateOf,
  TIMESTAMP,
} from './support/detecting.ts';
import { int } from './support/stack-items.ts';

let ground: DetectionTestContext;

beforeAll(async () => {
  ground = await openDetectionTestContext();
});
afterAll(() => ground.close());

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
const ONE = answeringCode({ get_one: [int(1)] });
const TWO = answeringCode({ get_two: [int(2)] });
const BOTH = answeringCode({ get_one: [int(1)], get_two: [int(2)] });
const PLAIN = answeringCode({ seqno: [int(5)] });

/** Code without a dictionary: get_one gives 1, all else an exit code (11 by compilers of today, 32 in old wallets). */
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
  const detection = ground.detection(detectors, options);
  return { detection, judge: detection.open({ follows: true }) };
};
const given = (...codes: Cell[]) => ({ codes: codes.map(codeOf) });

describe('a plan', () => {
  it('runs the detectors whose methods the code has', async () => {
    const { detection, judge: one } = open([MASTER, WALLET]);
    const states = [ONE, TWO, BOTH].map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { found, undetected } = await judge(one, states, given(ONE, TWO, BOTH));
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
    expect(detection.stats()).toMatchObject({ runs: 4, hits: 0, judged: 3 });
  });

  it('costs neither data nor a run where no detector applies', async () => {
    const { detection, judge: one } = open([MASTER]);
    // Data that is nowhere: it is not looked for.
    const state = { ...stateOf({ account: 1, code: PLAIN, data: numbered(1) }), data: undefined };
    const { found, undetected, withdrawn } = await judge(one, [state], given(PLAIN));
    expect([found.length, undetected.size, withdrawn.size]).toEqual([0, 0, 0]);
    expect(detection.stats()).toMatchObject({ runs: 0, asked: 0, judged: 1 });
  });

  it('goes by the hash of the code where a detector says so', async () => {
    const picky = numberOf('vestings', 'get_one', {
      codes: new Set([ONE.hash().toString('hex').toUpperCase()]),
    });
    const { judge: one } = open([picky]);
    const states = [ONE, BOTH].map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { found } = await judge(one, states, given(ONE, BOTH));
    expect(found.map(({ account }) => account)).toEqual([madeAccount(0)]);
  });

  it('takes codes and data from the database', async () => {
    const { judge: one } = open([MASTER]);
    const kept = stateOf({ account: 20, code: ONE, data: numbered(20) });
    await ground.keep(kept, codeOf(ONE));
    const unknown = stateOf({ account: 21, code: answeringCode({ get_one: [int(9)] }), data: numbered(21) });
    const changed = { ...kept, account: madeAccount(22), data: undefined };
    const { found, undetected } = await judge(one, [{ ...kept, data: undefined }, unknown, changed]);
    expect(found.map(({ account }) => account)).toEqual([madeAccount(20)]);
    expect(undetected).toEqual(new Set([keyOf(madeAccount(21)), keyOf(madeAccount(22))]));
  });

  it('tries all methods of code of another form, and learns which it has', async () => {
    for (const [exit, batches] of [
      [11, 1],
      [32, 3],
    ] as const) {
      const code = formless(exit);
      const { detection, judge: one } = open([MASTER, WALLET]);
      for (let i = 0; i < 6; i++) {
        const state = stateOf({ account: i, code, data: numbered(i) });
        const { found } = await judge(one, [state], given(code));
        expect(found.map(({ table }) => table)).toEqual(['jetton_masters']);
      }
      expect(detection.stats().runs).toBe(6 + batches);
    }
  });
});

describe('results', () => {
  it('are remembered while code and data are the same', async () => {
    const { detection, judge: one } = open([MASTER]);
    const state = stateOf({ account: 1, code: ONE, data: numbered(1) });
    await judge(one, [state], given(ONE));
    await judge(one, [{ ...state, lastTransLt: 2000n }]);
    await judge(detection.open({ follows: false }), [state]);
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 2 });
    await judge(one, [stateOf({ account: 1, code: ONE, data: numbered(2) })]);
    await judge(one, [stateOf({ account: 2, code: ONE, data: numbered(2) })]);
    expect(detection.stats()).toMatchObject({ runs: 3, hits: 2 });
  });

  it('are shared by detectors that ask at the same time', async () => {
    const { detection, judge: one } = open([MASTER, numberOf('nft_items', 'get_one')]);
    await judge(one, [stateOf({ account: 1, code: ONE, data: numbered(1) })], given(ONE));
    expect(detection.stats()).toMatchObject({ runs: 1, hits: 1 });
  });

  it('differ by arguments', async () => {
    const code = answeringCode({ get_one: { code: beginCell().endCell() } });
    const ask = async (probe: ContractReader) => {
      const [a, b, again] = [
        await probe.run('get_one', [intEntry(7)]),
        await probe.run('get_one', [intEntry(8)]),
        await probe.run('get_one', [intEntry(7)]),
      ];
      return columns([a.integer(0), b.integer(0), again.integer(0)]);
    };
    const { detection, judge: one } = open([{ ...MASTER, detect: ask }]);
    const { found } = await judge(one, [stateOf({ account: 1, code, data: numbered(1) })], given(code));
    expect(found[0]!.columns).toEqual({ value: [7n, 8n, 7n] });
    expect(detection.stats()).toMatchObject({ runs: 2, hits: 1 });
  });

  it('come of the time of the block and the balance, however large', async () => {
    // NOW, then the first of BALANCE.
    const code = answeringCode({ get_one: { code: beginCell().storeUint(0xf823f8276f10, 48).endCell() } });
    const detect = async (probe: ContractReader) => {
      const answer = await probe.run('get_one');
      return columns([answer.integer(0), answer.integer(1)]);
    };
    const { judge: one } = open([{ ...MASTER, detect }]);
    const state = stateOf({ account: 1, code, data: numbered(1), balance: 2n ** 80n });
    const { found } = await judge(
      one,
      [state, { ...state, account: madeAccount(2), balance: 7n }],
      given(code),
    );
    expect(found.map((one) => one.columns)).toEqual([
      // The largest that the emulator can be told.
      { value: [BigInt(TIMESTAMP), expect.any(BigInt)] },
      { value: [BigInt(TIMESTAMP), 7n] },
    ]);
  });
});

describe('withdrawn', () => {
  const nowhere = (verdicts: { withdrawn: ReadonlyMap<ContractTable, readonly Buffer[]> }) =>
    Object.fromEntries(verdicts.withdrawn);

  it('is what is no contract any more, from all tables', async () => {
    const { judge: one } = open([MASTER]);
    const gone = stateOf({ account: 1, mayHaveChangedCode: true });
    const same = stateOf({ account: 2 });
    const verdicts = await judge(one, [gone, same, { ...gone, account: madeAccount(3), isMissing: true }]);
    expect(nowhere(verdicts)).toEqual(
      Object.fromEntries(CONTRACT_TABLES.map((table) => [table, [madeAccount(1)]])),
    );
    expect(verdicts.undetected).toEqual(new Set([keyOf(madeAccount(3))]));
  });

  it('is what detectors deny, and after another code all else', async () => {
    const { judge: one } = open([MASTER, WALLET]);
    const code = answeringCode({ get_one: { throws: 100 }, get_two: [int(2)] });
    const state = stateOf({ account: 1, code, data: numbered(1) });
    const verdicts = await judge(one, [state], given(code));
    expect(nowhere(verdicts)).toEqual({ jetton_masters: [state.account] });
    expect(verdicts.found.map(({ table }) => table)).toEqual(['jetton_wallets']);
    const other = await judge(one, [{ ...state, mayHaveChangedCode: true }]);
    expect(Object.keys(nowhere(other)).sort()).toEqual(
      CONTRACT_TABLES.filter((table) => table !== 'jetton_wallets').sort(),
    );
    expect(other.found).toHaveLength(1);
  });

  it('is nothing of a table that another detector of it fills', async () => {
    const none = numberOf('jetton_masters', 'get_one', { detect: async () => throwMismatch('never') });
    for (const detectors of [
      [none, MASTER],
      [MASTER, none],
    ]) {
      const { judge: one } = open(detectors);
      const verdicts = await judge(one, [stateOf({ account: 1, code: ONE, data: numbered(1) })], given(ONE));
      expect([verdicts.found.length, verdicts.withdrawn.size]).toEqual([1, 0]);
    }
  });
});

describe('what contracts do', () => {
  it('harms nothing: wrong kinds, nothing at all, exceptions', async () => {
    const answers = [[], [{ type: 'null' } as const], { throws: 1000 }, [{ type: 'nan' } as const]];
    const codes = answers.map((get_one) => answeringCode({ get_one }));
    const { judge: one } = open([MASTER]);
    const states = codes.map((code, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { withdrawn, undetected } = await judge(one, states, given(...codes));
    expect(withdrawn.get('jetton_masters')).toHaveLength(answers.length);
    expect(undetected.size).toBe(0);
  });

  it('is not run for ever: a method that eats all gas is left alone after three times', async () => {
    const code = answeringCode({ get_one: { loops: true }, get_two: [int(2)] });
    const { detection, judge: one } = open([MASTER, WALLET]);
    for (let i = 0; i < 5; i++) {
      const state = stateOf({ account: i, code, data: numbered(i) });
      const { found, withdrawn, undetected } = await judge(one, [state], given(code));
      expect([found.length, withdrawn.get('jetton_masters'), undetected.size]).toEqual([
        1,
        [state.account],
        0,
      ]);
    }
    expect(detection.stats().runs).toBe(3 + 5);
  });

  it('does not spoil a method for others where it succeeded once', async () => {
    // Loops where the data is 0.
    const loop = beginCell().storeUint(0xeb00, 16).endCell();
    const get_one = {
      // PUSHCTR c4, CTOS, PLDU 64, DUP, PUSHREFCONT, IFNOT.
      code: beginCell()
        .storeUint(0xed44d0, 24)
        .storeUint(0xd70b3f, 24)
        .storeUint(0x208a, 16)
        .storeRef(loop)
        .storeUint(0xdf, 8)
        .endCell(),
    };
    const code = answeringCode({ get_one });
    const { judge: one } = open([MASTER]);
    const judged = async (account: number, data: number) =>
      (await judge(one, [stateOf({ account, code, data: numbered(data) })], given(code))).found.length;
    expect(await judged(100, 7)).toBe(1);
    for (let i = 0; i < 4; i++) expect(await judged(i, 0)).toBe(0);
    expect(await judged(101, 8)).toBe(1);
  });

  it('leaves an account undetected where a detector breaks', async () => {
    const log = createQuietLog();
    const broken = { ...MASTER, detect: () => Promise.reject(new TypeError('a fault of ours')) };
    const { judge: one } = open([broken, WALLET], { log });
    const { found, undetected } = await judge(
      one,
      [stateOf({ account: 1, code: BOTH, data: numbered(1) })],
      given(BOTH),
    );
    expect([found.length, undetected.size]).toEqual([0, 1]);
    expect(log.texts()).toEqual(['Contract detection failed']);
  });
});

describe('a virtual machine that does not run things', () => {
  const states = Array.from({ length: 20 }, (_, i) => stateOf({ account: i, code: ONE, data: numbered(i) }));

  it('leaves accounts undetected, some or all', async () => {
    const vm = createVm({ log: createQuietLog(), threads: 1, queueLimit: 1 });
    const { judge: one } = open([MASTER], { vm });
    const busy = await judge(one, states, given(ONE));
    expect(busy.withdrawn.size).toBe(0);
    expect(busy.undetected.size).toBeGreaterThan(0);
    expect(busy.found.length + busy.undetected.size).toBe(states.length);
    await vm.close();
    const fresh = open([MASTER], { vm });
    const closed = await judge(fresh.judge, states, given(ONE));
    expect([closed.found.length, closed.withdrawn.size, closed.undetected.size]).toEqual([0, 0, 20]);
  });

  it('ends with the time of the batch', async () => {
    const code = answeringCode({ get_one: { loops: true } });
    const many = Array.from({ length: 60 }, (_, i) => stateOf({ account: i, code, data: numbered(i) }));
    const { judge: one } = open([MASTER]);
    const none = await judge(one, many, { ...given(code), timeoutMs: 0 });
    expect([none.withdrawn.size, none.undetected.size]).toEqual([0, 60]);
    // Once the configuration is known there is time for runs, though not for all.
    await judge(one, [stateOf({ account: 1, code: ONE, data: numbered(1) })], given(ONE));
    const { withdrawn, undetected } = await judge(one, many, { timeoutMs: 30 });
    expect((withdrawn.get('jetton_masters')?.length ?? 0) + undetected.size).toBe(60);
  });

  it('is left when nobody wants the verdicts', async () => {
    const { judge: one } = open([MASTER]);
    const gone = new AbortController();
    const waiting = judge(one, states, { ...given(ONE), signal: gone.signal });
    gone.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(judge(one, states, { signal: gone.signal })).rejects.toThrow('enough');
  });
});
