import { createPublicKey, verify } from 'node:crypto';
import { Address, beginCell, internal } from '@ton/core';
import { afterEach, describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import type { CellRef } from '../../../src/chain/boc/cells.ts';
import { signedData } from '../../../src/chain/tl/signatures.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { libraryPublishers } from '../../../src/chain/tlb/libraries.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-block.ts';
import { readShardState, readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import type { CollatedStep } from '../../../src/localnet/collate/collator.ts';
import { libraryReference } from '../../../src/localnet/contracts/contract.ts';
import { probe, probeCode, probeEcho, probeSetLibrary } from '../../../src/localnet/contracts/probe.ts';
import { EXTRA_CURRENCY_ID } from '../../../src/localnet/genesis/create-genesis.ts';
import { validatorSetParam } from '../../../src/localnet/genesis/genesis-config.ts';
import { validatorKeys } from '../../../src/localnet/genesis/keys.ts';
import { configChangeMessage } from '../../../src/localnet/genesis/special-accounts.ts';
import { type Block, readBlock, readBlockTransactions } from '../../chain/support/block-readers.ts';
import {
  accountAt,
  faucetOf,
  type LocalChain,
  payment,
  startLocalChain,
  TestWallet,
  TON,
} from '../support/local-chain.ts';
import { BlockChecker } from './block-checker.ts';

let chain: LocalChain;
let checker: BlockChecker;

async function start(): Promise<void> {
  checker = new BlockChecker();
  chain = await startLocalChain({ shards: 2 }, (collated) => checker.check(collated));
}

afterEach(() => chain.close());

function masterchainOf({ step }: CollatedStep) {
  const bag = readBoc(step.masterchain.load());
  const block: Block = readBlock(bag, bag.root);
  return { bag, block, signatures: step.masterchain.signatures!()! };
}

/** Whether signatures are those of the validator of a set. */
function isSigned({ step }: CollatedStep, set: number): boolean {
  const signatures = step.masterchain.signatures!()!;
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), validatorKeys(set).publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const data = signedData(signatures, chain.store.head);
  return signatures.signatures.every(({ signature }) => verify(null, data, key, signature));
}

function headTree(): CellRef {
  const tree = chain.store.state(chain.store.head);
  if (tree === undefined || tree === 'gone') throw new Error('the state of the head is not there');
  return tree;
}

const configAddress = new Address(-1, Buffer.alloc(32, 0x55));

describe('masterchain blocks', () => {
  it('run special accounts, pay out fees and mint missing extra currencies', async () => {
    await start();
    const { bag, block } = masterchainOf(await chain.step());
    const messages = readMasterchainMessages(bag, block.masterchain!.messages);
    expect(messages.recoverCreateMsg).toBeGreaterThanOrEqual(0);
    const kinds = readBlockTransactions(bag, bag.root).map(({ description }) =>
      description.kind === 'tick_tock' ? (description.isTock ? 'tock' : 'tick') : description.kind,
    );
    expect(kinds).toEqual(expect.arrayContaining(['tick', 'tock', 'ord']));
    expect(block.valueFlow.recovered.grams).toBeGreaterThan(0n);
    const held = accountAt(chain.store, chain.genesis.masterchainFaucet.address)!;
    const tree = headTree();
    expect(readExtraCurrencies(tree.cells, held.balance).map(({ id }) => id)).toEqual([EXTRA_CURRENCY_ID]);
  });

  it('become key blocks when the config changes', async () => {
    await start();
    await chain.steps(3);
    const change = new Map([[77, beginCell().storeUint(1, 8).endCell()]]);
    const admin = chain.genesis.admin;
    const made = await chain.step([
      configChangeMessage({ admin, seqno: 0, validUntil: chain.now + 100, change }),
    ]);
    const { block } = masterchainOf(made);
    expect(block.info.keyBlock).toBe(true);
    expect(block.masterchain!.config!.address).toEqual(configAddress.hash);
    const next = masterchainOf(await chain.step()).block;
    expect(next.info).toMatchObject({ keyBlock: false, prevKeyBlockSeqno: block.info.seqno });
    expect(next.info.genCatchainSeqno).toBe(block.info.genCatchainSeqno + 1);
  });

  it('are signed by the current validators through three changes of the set', async () => {
    await start();
    await chain.steps(2);
    for (let set = 1; set <= 3; set++) {
      const change = new Map([[34, validatorSetParam(validatorKeys(set).publicKey, chain.now)]]);
      const admin = chain.genesis.admin;
      const order = { admin, seqno: set - 1, validUntil: chain.now + 100, change };
      const last = await chain.step([configChangeMessage(order)]);
      expect(masterchainOf(last).block.info.keyBlock).toBe(true);
      expect(isSigned(last, set - 1)).toBe(true);
      const first = await chain.step();
      expect(isSigned(first, set)).toBe(true);
      expect(masterchainOf(first).signatures).toMatchObject({ kind: 'simplex', slot: 0 });
      expect(masterchainOf(await chain.step()).signatures).toMatchObject({ slot: 1 });
      expect(masterchainOf(first).block.extra.createdBy).toEqual(validatorKeys(set).publicKey);
    }
  });

  it('publish libraries that other accounts then run', async () => {
    await start();
    await chain.steps(5);
    const faucet = faucetOf(chain.genesis);
    const owner = new TestWallet(1);
    const publisher = probe({ owner: owner.address, workchain: -1 });
    await chain.step([faucet([payment(owner.address, 100n * TON)])]);
    await chain.steps(2);
    const code = probeCode();
    const toPublisher = { to: publisher.address, value: 20n * TON, bounce: false, init: publisher.init };
    await chain.step([owner.send([internal({ ...toPublisher, body: probeSetLibrary('public', code) })])]);
    await chain.steps(3);
    const tree = headTree();
    const { libraries } = readShardStateTotals(tree.cells, readShardState(tree.cells, tree.cell).totals);
    expect(libraryPublishers(tree.cells, libraries, code.hash())).toEqual([publisher.address.hash]);

    const user = probe({ owner: owner.address, id: 5, code: libraryReference(code) });
    const toUser = { to: user.address, value: TON, bounce: false, init: user.init };
    await chain.step([owner.send([internal({ ...toUser, body: probeEcho() })])]);
    await chain.steps(4);
    expect(accountAt(chain.store, user.address)?.state.kind).toBe('active');
    expect(checker.underWay).toBe(0);
  });
});
