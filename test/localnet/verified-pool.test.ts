import { Address } from '@ton/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createPrivateAdnlKey } from '../../src/chain/adnl/keys.ts';
import { type BlockId, MASTERCHAIN } from '../../src/chain/block-id.ts';
import { accountPrefix, shardContains } from '../../src/chain/shards.ts';
import { readAccount } from '../../src/chain/tlb/account.ts';
import { topBlock } from '../../src/chain/tlb/shard-hashes.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { createHeadProver } from '../../src/lite/head-proof.ts';
import { getAccountState, getAccountStatePruned } from '../../src/lite/methods/accounts.ts';
import {
  type ListedTransaction,
  listBlockTransactions,
  listBlockTransactionsExt,
  readBlockTransactions,
} from '../../src/lite/methods/block-transactions.ts';
import { getBlockBytes, getBlockHeader, getZeroState } from '../../src/lite/methods/blocks.ts';
import { getConfigAll, getConfigParams } from '../../src/lite/methods/config.ts';
import { getLibrariesWithProof } from '../../src/lite/methods/libraries.ts';
import { lookupBlock, lookupBlockWithProof } from '../../src/lite/methods/lookups.ts';
import type { QueryServer } from '../../src/lite/methods/proofs.ts';
import { getBlockOutMsgQueueSize } from '../../src/lite/methods/queues.ts';
import { getAllShardsInfo, getShardBlockProof } from '../../src/lite/methods/shards.ts';
import { getTransactions, readHistory } from '../../src/lite/methods/transactions.ts';
import { createPool, type LitePool } from '../../src/lite/pool.ts';
import { validatorSetParam } from '../../src/localnet/genesis/genesis-config.ts';
import { validatorKeys } from '../../src/localnet/genesis/keys.ts';
import { CONFIG_ID, configChangeMessage } from '../../src/localnet/genesis/special-accounts.ts';
import { createLiteServer, type LiteServer } from '../../src/localnet/lite-server/server.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import {
  faucetOf,
  type LocalChain,
  payment,
  startLocalChain,
  TestWallet,
  TON,
} from './support/local-chain.ts';

const VERIFY = { verify: true };
const WALLETS = 12;
const VALIDATOR_CHANGES = sampled(2, 3);

/** Our own pool follows our own chain from its zero state, and believes nothing without proof. */
describe('a verifying pool on the local chain', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(shards: 1 | 2 | 4) {
    const log = createQuietLog();
    const chain = await startLocalChain({ shards });
    closing.push(() => chain.close());
    const server = await createLiteServer({
      store: chain.store,
      key: createPrivateAdnlKey(),
      host: '127.0.0.1',
      port: 0,
      log,
      now: () => chain.now,
    });
    closing.push(() => server.close());
    const memory = { load: async () => undefined, save: async () => undefined };
    const prover = await createHeadProver({ anchor: chain.genesis.zeroStateId, store: memory, log });
    const pool = openPool(chain, server, prover, log);
    closing.push(() => pool.close());
    return { chain, prover, pool, log };
  }

  it.each(sampled([4] as const, [1, 2, 4] as const))(
    'proves every head and every response with %i shards across changes of validators',
    { timeout: sampled(600_000, 600_000) },
    async (shards) => {
      const { chain, prover, pool, log } = await open(shards);
      // The chain splits until it has its shards.
      await chain.steps(2 + 3 * Math.log2(shards));
      const wallets = Array.from({ length: WALLETS }, (_, i) => new TestWallet(i));
      const fund = faucetOf(chain.genesis);
      const fours = Array.from({ length: WALLETS / 4 }, (_, i) => wallets.slice(4 * i, 4 * i + 4));
      await chain.step(fours.map((some) => fund(some.map(({ address }) => payment(address, 10n * TON)))));
      await chain.steps(2);
      for (let change = 1; change <= VALIDATOR_CHANGES; change++) {
        const sent = wallets.map((wallet, i) =>
          wallet.send([payment(wallets[(i * 5 + change) % WALLETS]!.address, TON / 10n)]),
        );
        await chain.step([...sent, changeOfValidators(chain, change)]);
        await chain.steps(3);
        const head = await pool.waitForSeqno(chain.store.head.seqno, { timeoutMs: 120_000 });
        expect(head).toEqual(chain.store.head);
        const session = await pool.session();
        const addresses = wallets.map(({ address }) => address);
        await session.run(({ query, reference }) =>
          checkEverything(query, reference, addresses, chain, shards),
        );
      }
      expect(prover.keyBlock.seqno).toBeGreaterThan(0);
      expect(keyBlocks(chain)).toBe(VALIDATOR_CHANGES);
      expect(log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
    },
  );
});

function openPool(
  chain: LocalChain,
  server: LiteServer,
  prover: Awaited<ReturnType<typeof createHeadProver>>,
  log: ReturnType<typeof createQuietLog>,
): LitePool {
  const { host, port, publicKey } = server;
  const { zeroStateId } = chain.genesis;
  return createPool({
    config: {
      liteServers: [{ index: 0, host, port, publicKey }],
      zeroState: zeroStateId,
      initBlock: zeroStateId,
      hardforks: [],
    },
    connect: createConnection,
    proveHead: (from, block) => prover.prove(from.query, block),
    log,
  });
}

/** Replaces the validators through the config contract, as its owner. */
function changeOfValidators(chain: LocalChain, number: number) {
  const { publicKey } = validatorKeys(number);
  return configChangeMessage({
    admin: chain.genesis.admin,
    seqno: number - 1,
    validUntil: 0xffffffff,
    change: new Map([[34, validatorSetParam(publicKey, chain.now)]]),
  });
}

function keyBlocks({ store }: LocalChain): number {
  let count = 0;
  for (let seqno = store.head.seqno; seqno > 0; count++) {
    const key = store.lastKeyBlock(seqno);
    if (key.seqno === 0) break;
    seqno = key.seqno - 1;
  }
  return count;
}

/** Asks everything there is to ask about a block; each answer is proven, or the query throws. */
async function checkEverything(
  ask: QueryServer,
  head: BlockId,
  addresses: readonly Address[],
  chain: LocalChain,
  shards: number,
): Promise<void> {
  const tops = await getAllShardsInfo(ask, head, VERIFY);
  expect(tops).toHaveLength(shards);
  for (const address of [
    ...addresses,
    new Address(MASTERCHAIN, CONFIG_ID),
    new Address(0, Buffer.alloc(32, 7)),
  ]) {
    const account = { workchain: address.workChain, hash: address.hash };
    const proven = await getAccountState(ask, head, account, VERIFY);
    await getAccountStatePruned(ask, head, account, VERIFY);
    if (proven.account === undefined) continue;
    const { cells, cell } = proven.account;
    expect(readAccount(cells, cell)?.balance.grams).toBe(chain.balance(address));
    const from = { lt: proven.lastTransLt, hash: proven.lastTransHash };
    let read = 0;
    const getPage = (place: typeof from, count: number) =>
      getTransactions(ask, account, place, count, VERIFY);
    const previous = await readHistory(getPage, { from, limit: 100 }, () => read++);
    expect(read).toBeGreaterThan(0);
    if (account.workchain === 0) expect(previous.lt).toBe(0n);
  }
  const config = await getConfigAll(ask, head, VERIFY);
  expect(config.cell).toBeGreaterThanOrEqual(0);
  await getConfigParams(ask, head, [0, 8, 28, 34], VERIFY);
  await getLibrariesWithProof(ask, head, [Buffer.alloc(32, 1)], VERIFY);
  await getZeroState(ask, chain.genesis.zeroStateId, VERIFY);
  for (const block of [head, ...tops.map(topBlock)]) await checkBlock(ask, head, block);
}

async function checkBlock(ask: QueryServer, head: BlockId, block: BlockId): Promise<void> {
  const { workchain, shard, seqno } = block;
  const place = { workchain, shard };
  await getBlockBytes(ask, block, VERIFY);
  const { info } = await getBlockHeader(ask, block, VERIFY);
  await getBlockOutMsgQueueSize(ask, block, VERIFY);
  await getShardBlockProof(ask, block, VERIFY);
  for (const key of [{ seqno }, { lt: info.endLt }, { utime: info.genUtime }]) {
    await lookupBlock(ask, { ...place, ...key }, VERIFY);
    const found = await lookupBlockWithProof(ask, head, { ...place, ...key }, VERIFY);
    if ('seqno' in key) expect(found.block).toEqual(block);
  }
  const listed: ListedTransaction[] = [];
  await readBlockTransactions(
    (part) => listBlockTransactions(ask, block, part, VERIFY),
    {},
    (one) => listed.push(one),
  );
  let whole = 0;
  await readBlockTransactions(
    (part) => listBlockTransactionsExt(ask, block, part, VERIFY),
    {},
    () => whole++,
  );
  expect(whole).toBe(listed.length);
  const [first] = listed;
  if (first === undefined) return;
  expect(shardContains(shard, accountPrefix(first.account))).toBe(true);
}
