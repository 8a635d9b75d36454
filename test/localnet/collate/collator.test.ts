import { Address, beginCell, type Cell, internal } from '@ton/core';
import { afterEach, describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import type { CollatedStep } from '../../../src/localnet/collate/collator.ts';
import { contractState } from '../../../src/localnet/contracts/contract.ts';
import { probe } from '../../../src/localnet/contracts/probe.ts';
import { adminKeys } from '../../../src/localnet/genesis/keys.ts';
import { configChangeMessage } from '../../../src/localnet/genesis/special-accounts.ts';
import { type Block, readBlock } from '../../chain/support/block-readers.ts';
import { sampled } from '../../support/long-run.ts';
import {
  accountAt,
  externalCell,
  faucetOf,
  type LocalChain,
  payment,
  startLocalChain,
  TestWallet,
  TON,
} from '../support/local-chain.ts';
import { BlockChecker } from './block-checker.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

let chain: LocalChain;
let checker: BlockChecker;

async function start(shards: 1 | 2 | 4): Promise<LocalChain> {
  checker = new BlockChecker();
  chain = await startLocalChain({ shards }, (collated) => checker.check(collated));
  return chain;
}

afterEach(() => chain.close());

function blocksOf({ step }: CollatedStep): { shards: Block[]; masterchain: Block; shardNames: bigint[] } {
  const read = (boc: Buffer): Block => {
    const bag = readBoc(boc);
    return readBlock(bag, bag.root);
  };
  const bag = readBoc(step.masterchain.load());
  const masterchain = readBlock(bag, bag.root);
  return {
    shards: step.shards.map(({ load }) => read(load())),
    masterchain,
    shardNames: readShardHashes(bag, masterchain.masterchain!.shardHashes).map(({ shard }) => shard),
  };
}

/** Messages with many payments each. */
const WAVES = 12;
/** Small blocks with fewer payments; in a long run as large as those of the mainnet. */
const SHRINK = sampled(16, 1);
const PAYMENTS = Math.floor(255 / SHRINK);
const BLOCK_LIMITS_PARAM = 23;

/** Limits of bytes, gas and logical time that are a fraction of those of the mainnet. */
function blockLimits(): Cell {
  const mainnet = [
    [131_072, 524_288, 1_048_576],
    [2_000_000, 10_000_000, 20_000_000],
    [1000, 5000, 10_000],
  ];
  const builder = beginCell().storeUint(0x5d, 8);
  for (const marks of mainnet) {
    builder.storeUint(0xc3, 8);
    for (const mark of marks) builder.storeUint(Math.floor(mark / SHRINK), 32);
  }
  return builder.endCell();
}

describe('the collator', () => {
  it('produces empty blocks from the zero states', async () => {
    await start(1);
    const first = await chain.step();
    expect(first.step.shards).toEqual([]);
    await chain.steps(3);
    expect(chain.store.head.seqno).toBe(4);
    const { shards, masterchain } = blocksOf(await chain.step());
    expect(shards.map(({ info }) => [info.workchain, info.seqno, info.masterRef?.seqno])).toEqual([
      [0, 4, 4],
    ]);
    expect(masterchain.info).toMatchObject({ seqno: 5, keyBlock: false, prevKeyBlockSeqno: 0 });
    expect(masterchain.info.startLt % 1_000_000n).toBe(0n);
  });

  it('splits into the number of shards in the config', async () => {
    await start(4);
    const seen: [boolean, boolean][] = [];
    for (let i = 0; i < 8; i++)
      for (const { info } of blocksOf(await chain.step()).shards)
        seen.push([info.beforeSplit, info.afterSplit]);
    expect(blocksOf(await chain.step()).shardNames).toHaveLength(4);
    expect(seen.filter(([before]) => before)).toHaveLength(3);
    expect(seen.filter(([, after]) => after)).toHaveLength(6);
  });

  it('delivers a payment in the block in which it is sent', async () => {
    await start(1);
    await chain.steps(2);
    const to = new TestWallet(1);
    const collated = await chain.step([faucetOf(chain.genesis)([payment(to.address, 5n * TON)])]);
    expect(collated.externals[0]).toMatchObject({ id: '0', outcome: 'included', block: { workchain: 0 } });
    expect(chain.balance(to.address)).toBe(5n * TON);
    expect(checker.underWay).toBe(0);
    expect([...checker.kinds]).toEqual(expect.arrayContaining(['in ext', 'in imm', 'out imm']));
  });

  it('delivers messages across shards, to the masterchain and back', async () => {
    await start(4);
    const faucet = faucetOf(chain.genesis);
    await chain.steps(6);
    const wallets = Array.from({ length: 12 }, (_, i) => new TestWallet(i));
    const inMasterchain = new TestWallet(100, 'v3r2', -1);
    for (let i = 0; i < wallets.length; i += 4)
      await chain.step([faucet(wallets.slice(i, i + 4).map(({ address }) => payment(address, 10n * TON)))]);
    await chain.step([faucet([payment(inMasterchain.address, 10n * TON)])]);
    await chain.steps(3);
    for (const { address } of [...wallets, inMasterchain]) expect(chain.balance(address)).toBe(10n * TON);

    const next = (i: number): Address => wallets[(i + 1) % wallets.length]!.address;
    await chain.step(wallets.map((wallet, i) => wallet.send([payment(next(i), TON)])));
    await chain.step([inMasterchain.send([payment(wallets[0]!.address, TON)])]);
    await chain.steps(3);
    expect(checker.underWay).toBe(0);
    expect([...checker.kinds]).toEqual(expect.arrayContaining(['in fin', 'out new', 'out deq_short']));
    expect(chain.balance(wallets[0]!.address)).toBeGreaterThan(10n * TON);
  });

  it('reports why an account rejects an external message, and includes the others', async () => {
    await start(1);
    await chain.steps(2);
    const faucet = faucetOf(chain.genesis);
    const good = faucet([payment(new TestWallet(1).address, TON)]);
    const stale = good;
    const later = faucet([payment(new TestWallet(2).address, TON)]);
    const nobody = externalCell(new Address(0, Buffer.alloc(32, 7)), beginCell().endCell());
    const elsewhere = externalCell(new Address(5, Buffer.alloc(32, 7)), beginCell().endCell());
    const { externals } = await chain.step([good, stale, later, nobody, elsewhere]);
    expect(externals.map(({ outcome }) => outcome)).toEqual([
      'included',
      'rejected',
      'included',
      'rejected',
      'rejected',
    ]);
    expect(externals[3]).toMatchObject({
      text: `inbound external message rejected by account ${'07'.repeat(32)} before smart-contract execution`,
    });
    const { externals: again } = await chain.step([good]);
    expect(again[0]).toMatchObject({ outcome: 'rejected', exitCode: 33 });
    // As a node says it of a wallet of this version.
    const name = chain.genesis.faucet.address.hash.toString('hex').toUpperCase();
    expect(again[0]).toMatchObject({
      text: `inbound external message rejected by transaction ${name}:
exitcode=33, steps=23, gas_used=0
VM Log (truncated):
...te NOW
execute LEQ
execute THROWIF 36
execute PUSH c4
execute CTOS
execute LDU 32
execute LDU 32
execute LDU 256
execute LDDICT
execute ENDS
execute XCPU s4,s3
execute EQUAL
execute THROWIFNOT 33
default exception handler, terminating vm with exit code 33
`,
    });
  });

  it('rejects a BoC that is not a message', async () => {
    await start(1);
    const input = { now: chain.now + 1, externals: [{ id: 'a', body: Buffer.from('nonsense') }] };
    const { externals } = await chain.collator.collate(input);
    expect(externals).toMatchObject([{ id: 'a', outcome: 'rejected' }]);
  });

  it('freezes accounts that cannot pay storage fees, however far the clock is moved', async () => {
    await start(1);
    await chain.steps(2);
    const faucet = faucetOf(chain.genesis);
    const { address, init } = probe({ owner: chain.genesis.faucet.address });
    await chain.step([faucet([internal({ to: address, value: TON / 10n, bounce: false, init })])]);
    expect(accountAt(chain.store, address)?.state.kind).toBe('active');
    const nudge = faucet([internal({ to: address, value: 1n, bounce: false })]);
    await chain.step([nudge], 40 * YEAR_SECONDS);
    expect(accountAt(chain.store, address)?.state.kind).toBe('frozen');
    await chain.steps(1);
  });

  it('deletes an account whose storage debt is too large', async () => {
    await start(1);
    await chain.steps(2);
    // Two hundred cells that are all different cost more in 40 years than a debt may be.
    let data = beginCell().endCell();
    for (let i = 0; i < 200; i++) data = beginCell().storeUint(i, 1000).storeRef(data).endCell();
    const { address, init } = contractState(beginCell().endCell(), data);
    const faucet = faucetOf(chain.genesis);
    await chain.step([faucet([internal({ to: address, value: TON, bounce: false, init })])]);
    expect(accountAt(chain.store, address)?.state.kind).toBe('active');
    const nudge = () => faucet([internal({ to: address, value: 1n, bounce: false })]);
    await chain.step([nudge()], 40 * YEAR_SECONDS);
    // An account that freezes in the state it began with has only its address left.
    expect(accountAt(chain.store, address)?.state.kind).toBe('uninit');
    await chain.step([nudge()]);
    expect(accountAt(chain.store, address)).toBeUndefined();
    await chain.steps(1);
  });

  it('postpones messages that do not fit into a block', async () => {
    await start(1);
    await chain.steps(2);
    const faucet = faucetOf(chain.genesis);
    const receiver = new TestWallet(1);
    const change = new Map([[BLOCK_LIMITS_PARAM, blockLimits()]]);
    const admin = { admin: adminKeys(), seqno: 0, validUntil: chain.now + 600 };
    // Some transactions with so many messages each are more than a block may hold.
    const to = new TestWallet(50, 'v5r1');
    await chain.step([configChangeMessage({ ...admin, change }), faucet([payment(to.address, 1000n * TON)])]);
    await chain.steps(2);
    const many = Array.from({ length: PAYMENTS }, () => payment(receiver.address, TON / 100n));
    const waves = Array.from({ length: WAVES }, () => to.send(many));
    let left = waves;
    const outcomes: string[] = [];
    while (left.length > 0) {
      const { externals } = await chain.step(left);
      outcomes.push(...externals.map(({ outcome }) => outcome));
      left = left.filter((_, i) => externals[i]!.outcome === 'postponed');
    }
    expect(outcomes).toContain('postponed');
    expect(outcomes.filter((outcome) => outcome === 'included')).toHaveLength(WAVES);
    for (let i = 0; i < 20 && checker.underWay > 0; i++) await chain.step();
    expect(checker.underWay).toBe(0);
  });
});
