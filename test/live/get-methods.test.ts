import { beginCell, type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { methodIdByName } from '../../src/chain/contracts/method-ids.ts';
import { intEntry, type StackEntry } from '../../src/chain/stack/entries.ts';
import { readAccountAt } from '../../src/live/accounts.ts';
import { createLiveCaches } from '../../src/live/caches.ts';
import { contractOf, runGetMethod } from '../../src/live/get-methods.ts';
import type { LiveCall } from '../../src/live/session.ts';
import { libraryReference } from '../../src/localnet/contracts/contract.ts';
import { probe, probeSetLibrary } from '../../src/localnet/contracts/probe.ts';
import { createVm, TVM_VERSION } from '../../src/vm/vm.ts';
import { codeOf, sendFrom } from '../v2/support/deploy.ts';
import { openLocalnetApp } from '../v2/support/v2-app.ts';
import { type AccountFields, buildAccountAt } from './support/built-account.ts';
import { createCall } from './support/make-call.ts';

const METHOD = 7;
const base64 = (cell: Cell): string => cell.toBoc().toString('base64');
const cellEntry = (cell: Cell): StackEntry => {
  const cells = fromCoreCell(cell);
  return { type: 'cell', cells, cell: cells.root };
};

// DROP, CTOS, 8 LDU, DROP: the first byte of the given cell.
const firstByte = codeOf('30D0D30730');
// DROP, CONT { CTOS, PLDREF }, AGAIN: follows first references until there is none left, then fails.
const follower = codeOf('3093D0D74CEA');

describe('runGetMethod', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  beforeAll(async () => {
    context = await openLocalnetApp({ ports: { requestMs: 60_000 } });
  });
  afterAll(() => context.close());

  async function run(
    made: AccountFields,
    stack: readonly StackEntry[] = [],
    call: LiveCall = createCall(context),
    methodId = METHOD,
  ) {
    const session = await call.ports.pool(undefined).session({ budgetMs: 30_000 });
    return runGetMethod(call, { ...buildAccountAt(made), session }, methodId, stack);
  }

  it('runs code that is a library, and reads the library once', async () => {
    const library = codeOf('');
    const wallet = context.running.wallets.masterchain;
    const publisher = probe({ owner: wallet.address, workchain: -1 });
    const body = probeSetLibrary('public', library);
    const { address: to, init } = publisher;
    const made = { code: base64(libraryReference(library)), balance: 1n };
    expect((await run(made)).exitCode).toBe(9);
    await sendFrom(context, wallet, [internal({ to, value: toNano(10_000), init, body })]);
    const call = createCall(context);
    const stack = [intEntry(METHOD)];
    expect(await run(made, [], call)).toMatchObject({ exitCode: 0, stack });
    expect(call.ports.caches.libraries.get(library.hash())).toBeDefined();
    expect(await run(made, [], call)).toMatchObject({ exitCode: 0, stack });
  });

  it('restarts with a library that the run needs', async () => {
    const call = createCall(context);
    const content = beginCell().storeUint(0x2a, 8).endCell();
    const argument = cellEntry(libraryReference(content));
    const missing = await run({ code: base64(firstByte) }, [argument], call);
    expect(missing.exitCode).toBe(9);
    call.ports.caches.libraries.set(content.hash(), content.toBoc());
    const found = await run({ code: base64(firstByte) }, [argument], call);
    expect(found).toMatchObject({ exitCode: 0, stack: [intEntry(0x2a)] });
  });

  it('gives up when the run needs one library after another', async () => {
    const call = createCall(context);
    let cell = beginCell().endCell();
    const chain = [cell];
    for (let i = 0; i < 9; i++) {
      call.ports.caches.libraries.set(cell.hash(), cell.toBoc());
      cell = beginCell().storeUint(i, 8).storeRef(libraryReference(cell)).endCell();
      chain.push(cell);
    }
    const made = { code: base64(follower) };
    // Eight libraries, and a cell underflow at the last one.
    expect((await run(made, [cellEntry(chain[8]!)], call)).exitCode).toBe(9);
    await expect(run(made, [cellEntry(chain[9]!)], call)).rejects.toMatchObject({
      kind: 'lite_server',
      message: 'Too many missing libraries',
    });
  });

  it('shows the contract its balance with extra currencies, the time of the block and the previous blocks', async () => {
    // NOW, BALANCE, FIRST, PUSHINT 239, GETEXTRABALANCE, PREVMCBLOCKS, FIRST, THIRD: the newest block's seqno.
    const code = base64(codeOf('F823F8276F108100EFF880F834006F106F12'));
    const made = { code, balance: 12_345n, extra: [{ id: 239, amount: 77n }], genUtime: 1_800_000_123 };
    const call = createCall(context);
    const session = await context.pool.session({ budgetMs: 30_000 });
    const { stack } = await runGetMethod(call, { ...buildAccountAt(made), session }, METHOD, []);
    const seqno = session.reference.seqno;
    expect(stack).toEqual([METHOD, 1_800_000_123, 12_345, 77, seqno].map(intEntry));
  });

  it('rejects a balance that does not fit the emulator', async () => {
    const code = base64(codeOf(''));
    expect((await run({ code, balance: 2n ** 63n - 1n })).exitCode).toBe(0);
    await expect(run({ code, balance: 2n ** 63n })).rejects.toMatchObject({ kind: 'lite_server' });
  });

  it('stops an endless run and can use the thread again', async () => {
    const vm = createVm({ log: context.log, threads: 1, runLimitMs: 200 });
    const call = createCall(context, { vm });
    const endless = base64(codeOf(`9E${'00'.repeat(14)}EA`));
    await expect(run({ code: endless }, [], call)).rejects.toMatchObject({ kind: 'timeout' });
    // On a busy machine even a short run may time out at first.
    const next = () => run({ code: base64(codeOf('')) }, [], call);
    await vi.waitFor(async () => expect((await next()).exitCode).toBe(0), { timeout: 120_000 });
    await vm.close();
  });

  it('waits no longer than the deadline of the caller', async () => {
    const call = createCall(context, {}, { deadlineMs: performance.now() + 50 });
    const endless = base64(codeOf(`9E${'00'.repeat(14)}EA`));
    await expect(run({ code: endless }, [], call)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('returns the same from the lite server, without gas_used', async () => {
    const call = createCall(context, { getMethods: 'remote' });
    const { hash, workChain: workchain } = context.running.wallets.basechain.address;
    const at = await readAccountAt(call, { workchain, hash }, undefined);
    const seqno = await runGetMethod(call, at, methodIdByName('seqno'), []);
    expect(seqno).toEqual({ exitCode: 0, gasUsed: 0, stack: [intEntry(0)] });
    const unknown = await runGetMethod(call, at, METHOD, [intEntry(1)]);
    expect([unknown.exitCode, unknown.gasUsed]).toEqual([11, 0]);
    const absent = await readAccountAt(call, { workchain, hash: Buffer.alloc(32, 0xab) }, undefined);
    const nothing = await runGetMethod(call, absent, METHOD, [intEntry(1)]);
    expect(nothing).toEqual({ exitCode: -13, gasUsed: 0, stack: [1, METHOD].map(intEntry) });
  });

  it('comes from the lite server by itself when the network is newer than our TVM', async () => {
    const { hash, workChain: workchain } = context.running.wallets.basechain.address;
    const gasAt = async (globalVersion: number, getMethods: 'auto' | 'local' = 'auto') => {
      const caches = createLiveCaches();
      caches.globalVersion = globalVersion;
      const call = createCall(context, { getMethods, caches });
      const at = await readAccountAt(call, { workchain, hash }, undefined);
      return (await runGetMethod(call, at, methodIdByName('seqno'), [])).gasUsed;
    };
    expect(await gasAt(TVM_VERSION)).toBeGreaterThan(0);
    expect(await gasAt(0)).toBeGreaterThan(0);
    // It does not tell the gas.
    expect(await gasAt(TVM_VERSION + 2)).toBe(0);
    expect(await gasAt(TVM_VERSION + 2, 'local')).toBeGreaterThan(0);
  });
});

describe('contractOf', () => {
  const code = beginCell().storeUint(7, 32).endCell().toBoc().toString('base64');

  it('prepares a cached account once', () => {
    const caches = createLiveCaches();
    const { proven } = buildAccountAt({ code, balance: 5n });
    const contract = contractOf(caches, proven);
    expect(contract?.run).toMatchObject({
      address: `0:${'07'.repeat(32)}`,
      balance: 5n,
      extraCurrencies: [],
    });
    expect(contractOf(caches, proven)).toBe(contract);
  });

  it('is undefined for an account without code', () => {
    const caches = createLiveCaches();
    for (const made of [undefined, {}, { active: true }, { frozenHash: Buffer.alloc(32) }])
      expect(contractOf(caches, buildAccountAt(made).proven)).toBeUndefined();
  });
});
