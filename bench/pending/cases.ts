import { type Cell, internal, toNano } from '@ton/core';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { textComment } from '../../src/localnet/contracts/contract.ts';
import { jettonWallet, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets, openStakerWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import type { TransactionRun } from '../../src/vm/runs.ts';
import { BUDGET_MS, type EmulatorContext, traceOf } from '../../test/pending/support/emulator-context.ts';
import { CONTRACTS, FORTUNE, order, wake } from '../../test/pending/support/test-contracts.ts';

/** An external message and the transactions of its trace. */
export interface Case {
  readonly name: string;
  readonly message: Buffer;
  /** The same transactions as inputs for the emulator, in order. */
  readonly runs: readonly TransactionRun[];
}

/** Prepares the messages on a chain with the demo. */
export async function prepareCases(context: EmulatorContext): Promise<Case[]> {
  const { bank, alice, carol, ...others } = openDemoWallets();
  const { bomb } = CONTRACTS;
  await context.deliver(
    order(context, bank, [internal({ to: bomb.address, value: FORTUNE, bounce: false })]),
  );
  const chain = createDemoChain(context.localnet);
  const faucets = await openFaucets();
  const { contracts } = planDemo({
    wallets: openDemoWallets(),
    stakers: openStakerWallets(),
    faucets,
    genesisTime: chain.genesisTime,
  });
  const pay = (to: typeof carol.address) => internal({ to, value: toNano('0.1'), bounce: false });
  const jettons = jettonWallet({ minter: contracts['jetton minter']!, owner: alice.address });
  const transfer = internal({
    to: jettons.address,
    value: toNano('0.2'),
    body: transferJettons({
      to: carol.address,
      amount: toNano('1'),
      responseTo: alice.address,
      forwardTon: toNano('0.01'),
      forwardPayload: textComment('A comment'),
    }),
  });
  const many = Object.values(others).map(({ address }) => pay(address));
  const messages: [string, Cell | Buffer][] = [
    ['payment', order(context, carol, [pay(alice.address)])],
    ['jetton transfer', order(context, alice, [transfer])],
    [`${2 * many.length} payments in one message`, order(context, bank, [...many, ...many])],
    ['endless trace, two messages per transaction', wake(bomb)],
  ];
  const cases: Case[] = [];
  for (const [name, message] of messages) {
    const boc = Buffer.isBuffer(message) ? message : message.toBoc();
    cases.push({ name, message: boc, runs: await runsOf(context, boc) });
  }
  return cases;
}

async function runsOf({ context, emulator }: EmulatorContext, message: Buffer): Promise<TransactionRun[]> {
  const { vm: config, prevBlocks } = await (await context.open({ budgetMs: BUDGET_MS })).config();
  const { transactions, utime, randSeed } = traceOf(await emulator.emulate({ message, budgetMs: BUDGET_MS }));
  return transactions.map(({ account, boc, lt, before }) => {
    const bag = readBoc(boc);
    const { cell } = readTransaction(bag, bag.root, account.workchain).inMessage!;
    return {
      shardAccount: before,
      config,
      prevBlocks,
      lt,
      utime,
      randSeed,
      message: writeCellBoc(bag, cell),
    };
  });
}
