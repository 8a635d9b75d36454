import { Address, beginCell, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { normalizedHash, readMessage } from '../../src/chain/tlb/message.ts';
import { externalMessage } from '../../src/localnet/contracts/contract.ts';
import { jettonWalletCode } from '../../src/localnet/contracts/jetton.ts';
import { probe, probeEcho } from '../../src/localnet/contracts/probe.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import type { EmulationRequest } from '../../src/pending/emulate.ts';
import { probeDestroy } from '../localnet/support/contract-messages.ts';
import {
  BUDGET_MS,
  type EmulatorContext,
  effectOf,
  openEmulatorContext,
  traceOf,
  transactionsAfter,
} from './support/emulator-context.ts';
import { FORTUNE, libraryReader, order, wake } from './support/test-contracts.ts';

const { bank, alice, bob, carol } = openDemoWallets();
const published = libraryReader(jettonWalletCode());
const unknown = libraryReader(beginCell().storeUint(0x1234, 16).endCell());
let context: EmulatorContext;
beforeAll(async () => {
  context = await openEmulatorContext({ demo: true });
  const gifts = [published, unknown].map(({ address: to }) =>
    internal({ to, value: FORTUNE, bounce: false }),
  );
  await context.deliver(order(context, bank, gifts));
});
afterAll(() => context.close());

const emulate = (message: Cell | Buffer, other: Partial<EmulationRequest> = {}) =>
  context.emulator.emulate({
    message: Buffer.isBuffer(message) ? message : message.toBoc(),
    budgetMs: BUDGET_MS,
    ...other,
  });
const effects = async (...args: Parameters<typeof emulate>) =>
  traceOf(await emulate(...args)).transactions.map(effectOf);
const greeting: MessageRelaxed = internal({ to: bob.address, value: toNano('0.1'), bounce: false });
const raw = ({ address }: { address: Address }) => address.toRawString();

describe('emulation of a message that is not accepted', () => {
  it('returns the exit code of the contract', async () => {
    const { secretKey } = keyPairFromSeed(Buffer.alloc(32, 7));
    const forged = order(context, carol, [greeting], { secretKey });
    const refusal = {
      kind: 'refused',
      exitCode: 35,
      text: 'External message not accepted by smart contract',
    };
    expect(await emulate(forged)).toMatchObject(refusal);
    expect((await effects(forged, { ignoreSignature: true })).map(({ account }) => account)).toEqual(
      [carol, bob].map(raw),
    );
    expect(await emulate(order(context, carol, [greeting], { seqno: 0 }))).toMatchObject({ exitCode: 33 });
  });

  it('returns a refusal if there is no contract', async () => {
    const nobody = { address: new Address(0, Buffer.alloc(32, 0xab)) };
    const message = (to: { address: Address }) => externalMessage(to, beginCell().endCell());
    expect(await emulate(message(nobody))).toMatchObject({ kind: 'refused', exitCode: undefined });
    expect(await emulate(message({ address: new Address(7, nobody.address.hash) }))).toMatchObject({
      kind: 'refused',
      exitCode: undefined,
      text: 'the workchain of the account does not exist',
    });
  });

  it('returns a refusal for bytes that are not an external message', async () => {
    const deep = () => {
      let cell = beginCell().endCell();
      for (let i = 0; i < 600; i++) cell = beginCell().storeRef(cell).endCell();
      return externalMessage(carol, cell);
    };
    const bodies: [Cell | Buffer, string][] = [
      [Buffer.from('nonsense'), 'the message cannot be read: '],
      [beginCell().endCell(), 'the message cannot be read: '],
      [beginCell().storeUint(0, 600).endCell(), 'the message'],
      [Buffer.alloc(70_000), 'the message is too large'],
      [deep(), 'the message is too deep'],
    ];
    for (const [body, text] of bodies)
      expect(await emulate(body)).toMatchObject({
        kind: 'refused',
        exitCode: undefined,
        text: expect.stringContaining(text),
      });
  });
});

describe('emulated trace', () => {
  it('has the hashes of its message, its masterchain block and its random seed', async () => {
    const message = order(context, carol, [greeting]);
    const trace = traceOf(await emulate(message));
    const bag = readBoc(message.toBoc());
    expect(trace).toMatchObject({
      externalHash: message.hash(),
      normalizedHash: normalizedHash(readMessage(bag, bag.root)),
      mcSeqno: context.localnet.store.head.seqno,
      utime: context.localnet.now(),
      bound: undefined,
    });
    expect(trace.randSeed).toHaveLength(32);
    const [paying, paid] = trace.transactions;
    expect([paying!.parent, paid!.parent]).toEqual([undefined, 0]);
    expect(paying!.inMessageHash).toEqual(message.hash());
    expect(paid!.lt).toBeGreaterThan(paying!.lt);
  });

  it('ends when the money is used up', async () => {
    const tooMuch = internal({ to: bob.address, value: toNano('1000000'), bounce: false });
    expect(await effects(order(context, carol, [tooMuch], { mode: 0 }))).toMatchObject([
      { account: raw(carol), compute: 0, action: 37, outMessages: [] },
    ]);
    expect(await effects(order(context, carol, [tooMuch, greeting]))).toMatchObject([
      { account: raw(carol), action: 0, outMessages: [expect.anything()] },
      { account: raw(bob) },
    ]);
  });

  it('follows an account that is deleted and deployed again', async () => {
    const { address: to, init } = probe({ owner: carol.address, id: 9 });
    const tell = (body: Cell) => internal({ to, value: toNano('0.1'), bounce: true, init, body });
    const message = order(context, carol, [
      tell(probeEcho()),
      tell(probeDestroy()),
      internal({ to, value: 1n, bounce: false }),
      tell(probeEcho()),
    ]);
    const trace = traceOf(await emulate(message));
    const { seqno } = context.localnet.store.head;
    await context.deliver(message);
    const real = transactionsAfter(context.localnet, seqno).map(({ transaction }) => transaction);
    const lts = real.filter(({ address }) => address === BigInt(`0x${to.hash.toString('hex')}`));
    const own = trace.transactions.filter(({ account }) => account.hash.equals(to.hash));
    expect(own.map(({ lt }) => lt)).toEqual(lts.map(({ lt }) => lt));
    expect(own.map(effectOf).map(({ status }) => status)).toEqual([
      'non-existing active',
      'active non-existing',
      'non-existing uninitialized',
      'uninitialized active',
    ]);
  });
});

it('finds a library that only the data of the account refers to', async () => {
  expect(await effects(wake(published))).toMatchObject([{ compute: 0 }]);
  expect(await effects(wake(unknown))).toMatchObject([{ compute: 9 }]);
});

it('starts from the newest state, and from an earlier one at an older seqno', async () => {
  const message = order(context, alice, [greeting]);
  const { seqno } = context.localnet.store.head;
  const before = traceOf(await emulate(message));
  const hashes = (trace: typeof before) => trace.transactions.map(({ hash }) => hash.toString('hex'));
  await context.deliver(order(context, alice, [greeting, greeting]));
  expect(await emulate(message)).toMatchObject({ kind: 'refused', exitCode: 133 });
  const again = traceOf(await emulate(message, { seqno }));
  expect(again.mcSeqno).toBe(seqno);
  expect(hashes(again)).toEqual(hashes(before));
  await expect(emulate(message, { seqno: 1_000_000 })).rejects.toMatchObject({ kind: 'lite_server' });
});
