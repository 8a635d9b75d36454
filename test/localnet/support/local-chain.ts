import {
  type Address,
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  storeMessage,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import type { CellRef } from '../../../src/chain/boc/cells.ts';
import { accountPrefix } from '../../../src/chain/shards.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { findShardAccount, readShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { signWithSeed } from '../../../src/lib/ed25519.ts';
import { type CollatedStep, type Collator, createCollator } from '../../../src/localnet/collate/collator.ts';
import { holds } from '../../../src/localnet/collate/routing.ts';
import { type WalletVersion, wallet, walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { createGenesis, type GenesisOptions } from '../../../src/localnet/genesis/create-genesis.ts';
import { validatorKeys, validatorSetNumber } from '../../../src/localnet/genesis/keys.ts';
import { createChainStore, type WritableChainStore } from '../../../src/localnet/store/chain-store.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import type { Genesis } from './genesis.ts';

export const START = 1_800_000_000;
export const TON = 10n ** 9n;
const ID_BYTES = 32;

/** A local chain that is built step by step. */
export interface LocalChain {
  readonly genesis: Genesis;
  readonly store: WritableChainStore;
  readonly vm: Vm;
  readonly collator: Collator;
  /** The time of the last step. */
  now: number;
  /** Makes a step one second later with external messages, and adds it to the store. */
  step(externals?: readonly Cell[], seconds?: number): Promise<CollatedStep>;
  /** Makes steps without external messages. */
  steps(count: number): Promise<void>;
  balance(address: Address): bigint | undefined;
  close(): Promise<void>;
}

/** Starts a chain; `observe` sees each step before it is added to the store. */
export async function startLocalChain(
  options: Partial<GenesisOptions> = {},
  observe?: (collated: CollatedStep, chain: LocalChain) => Promise<void> | void,
  // Small, so that old states are evicted often.
  maxStateBytes = 2 ** 20,
): Promise<LocalChain> {
  const genesis = await createGenesis({ now: START, shards: 1, ...options });
  const store = createChainStore({ zeroStates: genesis.zeroStates });
  const vm = sharedVm();
  const chain: LocalChain = {
    genesis,
    store,
    vm,
    collator: createCollator({ store, vm, signer, maxStateBytes }),
    now: START,
    async step(externals = [], seconds = 1) {
      chain.now += seconds;
      const bodies = externals.map((cell, i) => ({ id: String(i), body: cell.toBoc({ idx: false }) }));
      const collated = await chain.collator.collate({ now: chain.now, externals: bodies });
      await observe?.(collated, chain);
      store.append(collated.step);
      return collated;
    },
    async steps(count) {
      for (let i = 0; i < count; i++) await chain.step();
    },
    balance: (address) => accountAt(store, address)?.balance.grams,
    close: () => vm.close(),
  };
  return chain;
}

/** The account of an address at the head; undefined if it does not exist. */
export function accountAt(store: WritableChainStore, { workChain: workchain, hash }: Address) {
  const masterchain = treeAt(store, store.head);
  const place = { workchain, prefix: accountPrefix(hash) };
  const { custom } = readShardState(masterchain.cells, masterchain.cell);
  const shards = readShardHashes(masterchain.cells, readMcStateExtra(masterchain.cells, custom).shardHashes);
  const shard = shards.find((descr) => holds(descr, place));
  const { cells, cell: root } = shard === undefined ? masterchain : treeAt(store, shard);
  const found = findShardAccount(cells, readShardState(cells, root).accounts, hash);
  return found && readAccount(cells, readShardAccount(found).account);
}

function treeAt(store: WritableChainStore, id: Parameters<WritableChainStore['state']>[0]): CellRef {
  const tree = store.state(id);
  if (tree === undefined || tree === 'gone') throw new Error('State of the head is missing');
  return tree;
}

/** Signs as a validator of the chain. */
function signer(publicKey: Buffer, data: Buffer): Buffer {
  const set = validatorSetNumber(publicKey);
  if (set === undefined) throw new Error('Unknown validator');
  return signWithSeed(validatorKeys(set).seed, data);
}

/** A wallet that counts its messages. */
export class TestWallet {
  readonly address: Address;
  readonly #state: ReturnType<typeof wallet>;
  readonly #version: WalletVersion;
  readonly #secretKey: Buffer;
  /** Of the next message. */
  seqno = 0;

  /** `number` distinguishes wallets of the same version. */
  constructor(number: number, version: WalletVersion = 'v3r2', workchain = 0) {
    const seed = Buffer.alloc(ID_BYTES);
    seed.writeUInt32BE(number + 1);
    const { publicKey, secretKey } = keyPairFromSeed(seed);
    this.#version = version;
    this.#secretKey = secretKey;
    this.#state = wallet({ version, publicKey, workchain });
    this.address = this.#state.address;
  }

  /** The external message that makes the wallet send; the first one deploys the wallet. */
  send(messages: readonly MessageRelaxed[], mode?: number): Cell {
    const seqno = this.seqno++;
    const body = walletTransfer({
      version: this.#version,
      secretKey: this.#secretKey,
      seqno,
      messages,
      validUntil: 0xffffffff,
      workchain: this.address.workChain,
      ...(mode === undefined ? {} : { mode }),
    });
    return externalCell(this.address, body, seqno === 0 ? this.#state.init : undefined);
  }
}

/** The faucet of a chain as a wallet; returns its external messages one after another. */
export function faucetOf({ faucet }: Pick<Genesis, 'faucet'>): (messages: readonly MessageRelaxed[]) => Cell {
  let seqno = 0;
  return (messages) =>
    externalCell(
      faucet.address,
      walletTransfer({
        version: faucet.version,
        secretKey: faucet.secretKey,
        seqno: seqno++,
        messages,
        validUntil: 0xffffffff,
        workchain: faucet.address.workChain,
      }),
    );
}

/** The cell of an external message. */
export function externalCell(to: Address, body: Cell, init?: { code: Cell; data: Cell }): Cell {
  return beginCell()
    .store(storeMessage(external({ to, body, init })))
    .endCell();
}

/** A non-bounceable transfer. */
export function payment(to: Address, value: bigint, body?: Cell): MessageRelaxed {
  return internal({ to, value, bounce: false, body });
}
