import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Cell } from '@ton/core';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { CellBuilder } from '../../src/chain/boc/builder.ts';
import { type CellRef, MERKLE_PROOF, PRUNED_BRANCH } from '../../src/chain/boc/cells.ts';
import { Slice } from '../../src/chain/boc/slice.ts';
import { writeStateBag } from '../../src/chain/boc/state-writer.ts';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { shardsOfDepth } from '../../src/chain/shards.ts';
import { BuildingArena } from '../../src/chain/state/building-arena.ts';
import { stateHeaderFileName, statePartFileName } from '../../src/chain/state/state-file-names.ts';
import { buildAccount } from '../../src/chain/tlb/account.ts';
import { addCurrencies, NO_CURRENCY, writeCurrencyCollection } from '../../src/chain/tlb/currency.ts';
import { Dictionary, readLabel, writeLabel } from '../../src/chain/tlb/dictionary.ts';
import { buildOutMsgQueueInfo } from '../../src/chain/tlb/queues.ts';
import {
  buildShardAccounts,
  type DepthBalanceInfo,
  SHARD_ACCOUNTS,
} from '../../src/chain/tlb/shard-accounts.ts';
import { buildShardState, buildShardStateTotals } from '../../src/chain/tlb/shard-state.ts';
import type { ProvenState } from '../../src/ingest/state-files/shard-state.ts';
import { type ContractState, onChainContent } from '../../src/localnet/contracts/contract.ts';
import { jettonMinter, jettonWalletCode } from '../../src/localnet/contracts/jetton.ts';
import { walletCode } from '../../src/localnet/contracts/wallets.ts';

/** A generated state in split files, in bounded memory: of any size. */
export interface MadeState {
  readonly proven: ProvenState;
  /** SHA-256 of the ids and hashes of all accounts in ascending order. */
  readonly accountsDigest: string;
  readonly accounts: number;
  readonly jettonWallets: number;
}

const ID_BITS = 256;
const MC_SEQNO = 1000;
const NOW = 1_800_000_000;
/** Half of the accounts are wallets, the others wallets of jettons with so many holders. */
const HOLDERS = 1000;
/** After so many the arena of ids begins anew. */
const SCRATCH_ACCOUNTS = 10_000;

interface MadeStateOptions {
  readonly folder: string;
  readonly accounts: number;
  readonly splitDepth: number;
}

/** Writes the state of a basechain with wallets, jettons and their wallets into split files. */
export async function makeState({ folder, accounts, splitDepth }: MadeStateOptions): Promise<MadeState> {
  await mkdir(folder, { recursive: true });
  const digest = createHash('sha256');
  const block = madeBlock(0);
  const place = { block, masterchainBlock: madeBlock(MASTERCHAIN) };
  const parts = shardsOfDepth(WHOLE_SHARD, splitDepth);
  const planned = planAccounts(accounts, splitDepth);
  const header = new BuildingArena();
  const nodes: HeaderNode[] = [];
  for (const [i, part] of parts.entries()) {
    const arena = new BuildingArena();
    const root = buildAccounts(arena, planned[i]!, digest);
    const cell = buildShardAccounts(arena, root);
    await writeFile(join(folder, statePartFileName(place, part)), { cells: arena, cell });
    nodes.push(cutNode(header, arena, root, splitDepth));
  }
  const top = joinNodes(header, nodes);
  const totals = buildShardStateTotals(header, {
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: top.extra.balance,
    totalValidatorFees: NO_CURRENCY,
    libraries: -1,
    masterRef: undefined,
  });
  const state = buildShardState(header, {
    globalId: -3,
    workchain: 0,
    shard: WHOLE_SHARD,
    seqno: block.seqno,
    vertSeqno: 0,
    genUtime: NOW,
    genLt: BigInt(accounts) * 10n,
    minRefMcSeqno: MC_SEQNO,
    outMsgQueueInfo: buildOutMsgQueueInfo(header, { outQueue: -1, processedInfo: -1, extra: undefined }),
    beforeSplit: false,
    accounts: header.build(writeExtra(new CellBuilder().boolean(true).ref(top.cell), top.extra)),
    totals,
    custom: -1,
  });
  const proof = new CellBuilder().uint(MERKLE_PROOF, 8).hash(header.hash(state, 0));
  const cell = header.buildExotic(proof.uint(header.depth(state, 0), 16).ref(state));
  await writeFile(join(folder, stateHeaderFileName(place)), { cells: header, cell });
  const hash = Buffer.from(header.hash(state, 0));
  const proven = { workchain: 0, shard: WHOLE_SHARD, seqno: block.seqno, hash };
  const jettonWallets = planned.flat().filter(({ kind }) => kind === 'jetton wallet').length;
  return { proven, accountsDigest: digest.digest('hex'), accounts, jettonWallets };
}

function madeBlock(workchain: number): BlockId {
  const seqno = workchain === MASTERCHAIN ? MC_SEQNO : MC_SEQNO + 1;
  return { workchain, shard: WHOLE_SHARD, seqno, rootHash: randomBytes(32), fileHash: randomBytes(32) };
}

async function writeFile(path: string, source: CellRef): Promise<void> {
  await pipeline(Readable.from(copies(writeStateBag(source)), { objectMode: true }), createWriteStream(path));
}

/** Streams read ahead, so each piece has to stay. */
function* copies(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

type MadeAccount = { readonly id: Buffer } & (
  | { readonly kind: 'wallet' }
  | { readonly kind: 'jetton'; readonly init: ContractState['init'] }
  | { readonly kind: 'jetton wallet'; readonly owner: Buffer; readonly jetton: Buffer }
);

/** The accounts of each part, ascending. Wallets of jettons have the ids that their jettons give them. */
function planAccounts(count: number, splitDepth: number): readonly (readonly MadeAccount[])[] {
  const parts = Array.from({ length: 2 ** splitDepth }, (): MadeAccount[] => []);
  const add = (account: MadeAccount): void => {
    parts[Math.floor((account.id[0]! * parts.length) / 256)]!.push(account);
  };
  const jettons = Array.from({ length: Math.ceil(count / 2 / HOLDERS) }, (_, i) => {
    const { address, init } = jettonMinter({ admin: null, content: onChainContent({ name: `Jetton ${i}` }) });
    add({ kind: 'jetton', id: address.hash, init });
    return address.hash;
  });
  const wallets = Array.from({ length: Math.floor(count / 2) }, () => {
    const id = randomBytes(32);
    add({ kind: 'wallet', id });
    return id;
  });
  let scratch = new BuildingArena();
  let code = -1;
  for (let i = 0; i < count - wallets.length - jettons.length; i++) {
    if (i % SCRATCH_ACCOUNTS === 0) {
      scratch = new BuildingArena();
      code = addCode(scratch, jettonWalletCode());
    }
    const owner = wallets[i % wallets.length]!;
    const jetton = jettons[i % jettons.length]!;
    const data = scratch.build(jettonWalletData(0n, owner, jetton));
    // No depth, not special, code and data, no library.
    const init = scratch.build(new CellBuilder().uint(0b00110, 5).ref(code).ref(data));
    add({ kind: 'jetton wallet', id: Buffer.from(scratch.hash(init)), owner, jetton });
  }
  for (const part of parts) part.sort((a, b) => a.id.compare(b.id));
  return parts;
}

function addCode(arena: BuildingArena, code: Cell): number {
  const bag = fromCoreCell(code);
  return arena.add(bag, bag.root);
}

function jettonWalletData(balance: bigint, owner: Buffer, jetton: Buffer): CellBuilder {
  const data = new CellBuilder().coins(balance);
  for (const id of [owner, jetton]) data.uint(0b100, 3).int(0, 8).hash(id);
  return data;
}

type Digest = ReturnType<typeof createHash>;

function buildAccounts(arena: BuildingArena, accounts: readonly MadeAccount[], digest: Digest) {
  const [walletV4, jettonWallet] = [walletCode('v4r2'), jettonWalletCode()].map((code) =>
    addCode(arena, code),
  );
  const initOf = (made: MadeAccount, i: number): { code: number; data: number } => {
    if (made.kind === 'jetton') {
      const { code, data } = made.init;
      return { code: addCode(arena, code), data: addCode(arena, data) };
    }
    if (made.kind === 'jetton wallet') {
      const data = jettonWalletData(BigInt(i) * 1000n, made.owner, made.jetton);
      return { code: jettonWallet!, data: arena.build(data) };
    }
    const data = new CellBuilder().uint(i, 32).uint(698983191, 32).hash(randomBytes(32)).boolean(false);
    return { code: walletV4!, data: arena.build(data) };
  };
  const entries = accounts.map((made, i) => {
    const { id } = made;
    const account = buildAccount(arena, {
      address: { kind: 'std', workchain: 0, hash: id, anycast: undefined },
      storageInfo: {
        usedCells: 22,
        usedBits: 5000,
        publicCells: undefined,
        dictHash: undefined,
        lastPaid: NOW,
        duePayment: undefined,
      },
      lastTransLt: BigInt(i + 2),
      balance: { grams: BigInt(i) * 1_000_003n, extra: -1 },
      state: {
        kind: 'active',
        init: { fixedPrefixLength: undefined, special: undefined, ...initOf(made, i), library: -1 },
      },
    });
    digest.update(id).update(arena.hash(account));
    return [id, { account, lastTransHash: randomBytes(32), lastTransLt: BigInt(i + 1) }] as const;
  });
  return new Dictionary(arena, SHARD_ACCOUNTS).build(entries);
}

interface HeaderNode {
  readonly cell: number;
  readonly extra: DepthBalanceInfo;
}

/** The root of a part as the header shows it: with the rest of its label, and what is below cut off. */
function cutNode(header: BuildingArena, arena: BuildingArena, root: number, bits: number): HeaderNode {
  const path = Buffer.alloc(ID_BITS / 8);
  const slice = new Slice(arena, root);
  const at = readLabel(slice, ID_BITS, path, 0);
  const builder = new CellBuilder();
  writeLabel(builder, path, bits, at, ID_BITS - bits);
  for (let i = 0; i < arena.refCount(root); i++) {
    const child = arena.ref(root, i);
    const pruned = new CellBuilder().uint(PRUNED_BRANCH, 8).uint(1, 8).hash(arena.hash(child));
    builder.ref(header.buildExotic(pruned.uint(arena.depth(child), 16)));
  }
  builder.sliceBits(slice, slice.bitsLeft);
  return { cell: header.build(builder), extra: new Dictionary(arena, SHARD_ACCOUNTS).extra(root) };
}

/** The nodes of the dictionary above the parts, of which each has accounts. */
function joinNodes(header: BuildingArena, nodes: readonly HeaderNode[]): HeaderNode {
  if (nodes.length === 1) return nodes[0]!;
  const half = nodes.length / 2;
  const [left, right] = [nodes.slice(0, half), nodes.slice(half)].map((some) => joinNodes(header, some));
  const extra = {
    splitDepth: 0,
    balance: addCurrencies(left!.extra.balance, right!.extra.balance, header),
  };
  // An empty label.
  const builder = new CellBuilder().uint(0, 2).ref(left!.cell).ref(right!.cell);
  return { cell: header.build(writeExtra(builder, extra)), extra };
}

function writeExtra(builder: CellBuilder, { splitDepth, balance }: DepthBalanceInfo): CellBuilder {
  writeCurrencyCollection(builder.uint(splitDepth, 5), balance);
  return builder;
}
