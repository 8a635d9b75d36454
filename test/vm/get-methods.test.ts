import { beginCell, Dictionary } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CellEntry,
  intEntry,
  type SliceEntry,
  type StackEntry,
  type TupleEntry,
} from '../../src/chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../../src/chain/stack/vm-stack.ts';
import { VmRefusal } from '../../src/vm/errors.ts';
import type { GetMethodRun } from '../../src/vm/runs.ts';
import { shareBoc, writeLibraries, writePrevBlocks } from '../../src/vm/shared-inputs.ts';
import { createVm, isNewerThanEmulator, TVM_VERSION, type Vm } from '../../src/vm/vm.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { ADDRESS, boc, codeRun, hexCell, UTIME, wallet } from './built-data.ts';

const SEQNO = 85143;
const GET_PUBLIC_KEY = 78748;
const limits = { timeoutMs: 60_000 };

let vm: Vm;
beforeAll(() => {
  vm = createVm({ log: createQuietLog(), threads: 1, runLimitMs: 60_000 });
});
afterAll(() => vm.close());

const walletRun = (methodId: number): GetMethodRun => ({
  ...codeRun(wallet.init.code, { data: boc(wallet.init.data), methodId }),
  address: wallet.address.toRawString(),
});

async function stackOf(run: GetMethodRun): Promise<StackEntry[]> {
  const { exitCode, stack } = await vm.runGetMethod(run, limits);
  expect(exitCode).toBe(0);
  return readStackBoc(stack);
}

/** The numbers on the stack without the id of the method, which comes first. */
async function numbersOf(code: string, more: Partial<GetMethodRun> = {}): Promise<unknown[]> {
  const plain = (entry: StackEntry): unknown =>
    entry.type === 'int' ? entry.value : entry.type === 'tuple' ? entry.items.map(plain) : entry.type;
  return (await stackOf(codeRun(`FF00${code}`, more))).slice(1).map(plain);
}

describe('get-methods', () => {
  it('run on a wallet', async () => {
    const seqno = await vm.runGetMethod(walletRun(SEQNO), limits);
    expect(seqno).toMatchObject({ exitCode: 0, gasUsed: 769, missingLibrary: undefined, log: undefined });
    expect(readStackBoc(seqno.stack)).toEqual([intEntry(0)]);
    const [key] = await stackOf(walletRun(GET_PUBLIC_KEY));
    expect(key).toEqual(intEntry(BigInt(`0x${wallet.publicKey.toString('hex')}`)));
  });

  it('get their arguments below the method id', async () => {
    const stack = writeStackBoc([intEntry(5), intEntry(-7)]);
    expect(await stackOf(codeRun('FF00', { stack, methodId: 3 }))).toEqual([5, -7, 3].map(intEntry));
  });

  it('return the exit code and the remaining stack when they fail', async () => {
    const unknown = await vm.runGetMethod(walletRun(1), limits);
    expect(unknown.exitCode).toBe(11);
    // THROW 42
    const thrown = await vm.runGetMethod(codeRun('FF00F22A'), limits);
    expect([thrown.exitCode, readStackBoc(thrown.stack)]).toEqual([42, [intEntry(0)]]);
  });

  it('run out of gas in an endless loop', async () => {
    // CONT { NEWC, ENDC, DROP }, AGAIN: a cell costs much gas and little time.
    const endless = codeRun('FF0093C8C930EA');
    const result = await vm.runGetMethod({ ...endless, gasLimit: 100_000 }, limits);
    expect(result.exitCode).toBe(-14);
    expect(result.gasUsed).toBeGreaterThan(100_000);
    expect(readStackBoc(result.stack)).toEqual([intEntry(result.gasUsed)]);
    const whole = await vm.runGetMethod(endless, limits);
    expect([whole.exitCode, Math.floor(whole.gasUsed / 1000)]).toEqual([-14, 4000]);
  });

  it('return up to about a thousand values, flat or nested', async () => {
    // The argument says how often to do what is in the braces.
    const times = (n: number): Partial<GetMethodRun> => ({ stack: writeStackBoc([intEntry(n)]) });
    // DROP, CONT { ONE }, REPEAT
    const many = codeRun('FF00309171E4', times(1000));
    expect(await stackOf(many)).toHaveLength(1000);
    // DROP, PUSHNULL, SWAP, CONT { ONE, SWAP, PAIR }, REPEAT: a list.
    const list = (n: number): GetMethodRun => codeRun('FF00306D019471016F02E4', times(n));
    let [rest] = await stackOf(list(1000));
    for (let i = 0; i < 1000; i++) rest = (rest as TupleEntry).items[1];
    expect(rest?.type).toBe('null');
    await expect(vm.runGetMethod(list(2000), limits)).rejects.toThrow('TVM stack depth exceeds limit');
    await expect(vm.runGetMethod({ ...many, ...times(2000) }, limits)).rejects.toThrow('depth exceeds limit');
  });

  it('see the same c7 as in a lite server', async () => {
    // NOW, BLOCKLT, LTIME, RANDSEED, BALANCE, STORAGEFEES, INCOMINGVALUE, DUEPAYMENT, GETPRECOMPILEDGAS
    const found = await numbersOf('F823F824F825F826F827F82CF82BF82FF839');
    expect(found).toEqual([BigInt(UTIME), 0n, 0n, 0n, [1000n, 'null'], 0n, [0n, 'null'], 0n, 'null']);
    const [, address] = await stackOf(codeRun('FF00F828'));
    const { cells, cell } = address as SliceEntry;
    expect(cells.bits[cell]).toBe(267);
    expect(cells.hash(cell)).toEqual(
      beginCell()
        .storeUint(0b100, 3)
        .storeInt(0, 8)
        .storeBuffer(Buffer.from(ADDRESS.slice(2), 'hex'))
        .endCell()
        .hash(),
    );
    expect(await numbersOf('F826', { randSeed: Buffer.alloc(32, 255) })).toEqual([2n ** 256n - 1n]);
  });

  it('see all extra currencies of the balance', async () => {
    const extraCurrencies = [
      { id: 239, amount: 700n },
      { id: 4_294_967_279, amount: 2n ** 100n },
      { id: 7, amount: 0n },
    ];
    const [, balance] = await stackOf(codeRun('FF00F827', { extraCurrencies }));
    const [, extra] = (balance as TupleEntry).items;
    const { cells, cell } = extra as CellEntry;
    const expected = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    expected.set(239, 700n).set(4_294_967_279, 2n ** 100n);
    expect(cells.hash(cell)).toEqual(beginCell().storeDictDirect(expected).endCell().hash());
    // PUSHINT 239, GETEXTRABALANCE
    expect(await numbersOf('8100EFF880', { extraCurrencies })).toEqual([700n]);
  });

  it('see previous blocks', async () => {
    const block = (seqno: number) => ({
      workchain: -1,
      shard: -(2n ** 63n),
      seqno,
      rootHash: Buffer.alloc(32, 1),
      fileHash: Buffer.alloc(32, 2),
    });
    const tuple = (seqno: number) => [
      -1n,
      2n ** 63n,
      BigInt(seqno),
      ...[1, 2].map((byte) => BigInt(`0x${Buffer.alloc(32, byte).toString('hex')}`)),
    ];
    const prevBlocks = writePrevBlocks({
      last: [block(120), block(119)],
      keyBlock: block(65),
      every100: [block(100)],
    });
    // PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100
    const found = await numbersOf('F83400F83401F83402', { prevBlocks });
    expect(found).toEqual([[tuple(120), tuple(119)], tuple(65), [tuple(100)]]);
    expect(await numbersOf('F82D')).toEqual(['null']);
  });

  it('run code that is a library', async () => {
    const library = hexCell('FF0075');
    const code = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true });
    const without = await vm.runGetMethod(codeRun(code), limits);
    expect(without.exitCode).toBe(9);
    expect(without.missingLibrary).toEqual(library.hash());
    const libraries = writeLibraries([boc(library), boc(hexCell('FF00'))]);
    expect(writeLibraries([])).toBeUndefined();
    const found = await stackOf(codeRun(code, { libraries }));
    expect(found).toEqual([intEntry(0), intEntry(5)]);
  });

  it('return a log with verbosity', async () => {
    const plain = await vm.runGetMethod(codeRun('FF0071', { verbosity: 0 }), limits);
    expect(plain.log).toBe('execute SETCP 0\nexecute PUSHINT 1\nexecute implicit RET\n');
    const long = await vm.runGetMethod(codeRun('FF0071', { verbosity: 4 }), limits);
    expect(long.log).toContain('gas remaining');
  });

  it('are rejected if malformed, without effect on the next run', async () => {
    const bad: Partial<GetMethodRun>[] = [
      { code: Buffer.from('nonsense') },
      { data: Buffer.alloc(0) },
      { stack: Buffer.from('nonsense') },
      { address: 'nowhere' },
      { balance: 2n ** 64n },
      { libraries: shareBoc(Buffer.from('nonsense')) },
      { methodId: 2 ** 40 },
    ];
    for (const more of bad) {
      await expect(vm.runGetMethod(codeRun('FF0071', more), limits)).rejects.toBeInstanceOf(VmRefusal);
      expect(await numbersOf('71')).toEqual([1n]);
    }
    expect(vm.state()).toEqual({ threads: 1, busy: 0, queued: 0 });
  });
});

describe('TVM version', () => {
  it('is compared with that of the network', () => {
    expect(TVM_VERSION).toBe(13);
    expect([12, 13, 14].map(isNewerThanEmulator)).toEqual([false, false, true]);
  });
});
