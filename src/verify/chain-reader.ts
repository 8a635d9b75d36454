import { createHash } from 'node:crypto';
import { Cell, CellType, Dictionary } from '@ton/core';
import type { liteServer_accountState, tonNode_blockIdExt } from 'ton-lite-client/dist/schema.js';
import { Failure } from '../lib/errors.ts';
import {
  type ChainBlock,
  readChainBlock,
  readOldBlocks,
  readShardAccounts,
  readShardHashes,
  readStateConfig,
  type ShardAccount,
  stateExtra,
} from './chain-block.ts';
import {
  type BlockId,
  contains,
  MASTERCHAIN,
  readBytes,
  rootOf,
  sameBlock,
  WHOLE_SHARD,
} from './core-readers.ts';
import {
  connectLiteClient,
  type LiteClient,
  LiteFault,
  LiteRefusal,
  type LiteServerAddress,
} from './lite-client.ts';

interface ChainSource {
  readonly liteServers: readonly LiteServerAddress[];
  readonly zeroState: BlockId;
  readonly signal?: AbortSignal | undefined;
  /** For a connection, and for a response. */
  readonly timeoutMs?: number;
  /** For a call with all its queries and retries. */
  readonly budgetMs?: number;
}

/**
 * Reads the chain through ton-lite-client. A failed query is sent to the other servers, each once, then the call rejects
 * with a Failure. The newest block is what a server says; everything else is checked by hashes from there.
 */
export type ChainReader = ReturnType<typeof createChainReader>;

const TIMEOUT_MS = 30_000;
const BUDGET_MS = 90_000;
/** A single server gets a second chance on a new connection. */
const MIN_ATTEMPTS = 2;

type Ask = LiteClient['query'];

export function createChainReader(source: ChainSource) {
  const { liteServers, zeroState, signal, timeoutMs = TIMEOUT_MS, budgetMs = BUDGET_MS } = source;
  const clients = new Map<number, Promise<LiteClient>>();
  /** Proofs that need not be checked again: all accounts of a shard come with the same one. */
  const shardProofs = new Map<string, Buffer>();
  let preferred = 0;

  async function open(address: LiteServerAddress): Promise<LiteClient> {
    const client = await connectLiteClient(address, timeoutMs);
    try {
      checkNetwork((await client.query('liteServer_getMasterchainInfo', {})).init, zeroState);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  function clientOf(position: number): Promise<LiteClient> {
    const existing = clients.get(position);
    if (existing !== undefined) return existing;
    const client = open(liteServers[position]!);
    clients.set(position, client);
    client.catch(() => drop(position, client));
    return client;
  }

  async function drop(position: number, client: Promise<LiteClient>): Promise<void> {
    // Another call may have connected again.
    if (clients.get(position) === client) clients.delete(position);
    await client.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  async function onServers<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const budget = AbortSignal.timeout(budgetMs);
    const until = signal === undefined ? budget : AbortSignal.any([signal, budget]);
    const first = preferred;
    const attempts = liteServers.length === 0 ? 0 : Math.max(liteServers.length, MIN_ATTEMPTS);
    let failure: unknown = new Failure('no_lite_server', 'There are no lite servers');
    for (let attempt = 0; attempt < attempts && !until.aborted; attempt++) {
      const position = (first + attempt) % liteServers.length;
      const opening = clientOf(position);
      try {
        const result = await unlessAborted(
          opening.then(({ query }) => work(query)),
          until,
        );
        preferred = position;
        return result;
      } catch (error) {
        if (error instanceof LiteFault && error.at === 'connection') await drop(position, opening);
        // That one server lacks something says more than that another one does not respond.
        if (!isMissing(failure))
          failure = until.aborted ? new Failure('timeout', TOO_LATE) : named(error, position);
      }
    }
    signal?.throwIfAborted();
    throw failure;
  }

  /** The failure of a server; what @ton/core cannot read is one too. */
  function named(error: unknown, position: number): Failure {
    if (error instanceof LiteRefusal) return error;
    const { host, port } = liteServers[position]!;
    const text = error instanceof Error ? error.message : String(error);
    return new Failure('lite_server', `lite server ${host}:${port}: ${text}`, { cause: error });
  }

  async function zeroStateCell(ask: Ask): Promise<Cell> {
    const { data } = await ask('liteServer_getState', { id: toTl(zeroState) });
    return checkedBag(data, zeroState);
  }

  function checkShardProof({ shardProof, ...answer }: liteServer_accountState, block: BlockId): void {
    const shardBlock = fromTl(answer.shardblk);
    const key = `${block.rootHash.toString('hex')} ${shardBlock.rootHash.toString('hex')}`;
    if (shardProofs.get(key)?.equals(shardProof)) return;
    const tops = readShardHashes(stateExtra(stateAfter(block, ...openProofs(shardProof))));
    if (!tops.some((top) => sameBlock(top, shardBlock))) throw wrong('is of another shard block');
    shardProofs.set(key, shardProof);
  }

  async function account(ask: Ask, block: BlockId, account: Buffer): Promise<ShardAccount | undefined> {
    const [workchain, id] = [account.readInt8(0), account.subarray(1)];
    const find = (state: Cell) => readShardAccounts(state).get(id.toString('hex'));
    if (block.seqno === 0) return workchain === MASTERCHAIN ? find(await zeroStateCell(ask)) : undefined;
    const answer = await ask('liteServer_getAccountState', {
      id: toTl(block),
      account: { kind: 'liteServer.accountId', workchain, id },
    });
    const shardBlock = fromTl(answer.shardblk);
    if (!contains(shardBlock, account)) throw wrong('is of another shard');
    if (!sameBlock(shardBlock, block)) checkShardProof(answer, block);
    const entry = find(stateAfter(shardBlock, ...openProofs(answer.proof)));
    if (entry === undefined && answer.state.length === 0) return undefined;
    const cell = rootOf(answer.state);
    if (!entry?.cell.hash(0).equals(cell.hash())) throw wrong('has another hash');
    return { ...entry, cell };
  }

  return {
    zeroState,
    /** The newest block of the first server that has a seqno; of all servers if none has. */
    async head(atLeast = 0): Promise<BlockId> {
      let newest: BlockId | undefined;
      const look = async (ask: Ask): Promise<BlockId> => {
        const own = await newestBlock(ask);
        if (newest === undefined || own.seqno > newest.seqno) newest = own;
        if (own.seqno < atLeast) throw new LiteRefusal('block not found');
        return own;
      };
      return onServers(look).catch((error: unknown) => {
        if (newest === undefined) throw error;
        return newest;
      });
    },
    /** The id of a masterchain block, unproven: the block after it has the same. */
    lookUp: (seqno: number) => onServers((ask) => lookUp(ask, seqno)),
    /** The id of a masterchain block in the chain of the newest one. */
    masterchainId: (seqno: number) => onServers((ask) => provenId(ask, seqno)),
    block: (id: BlockId) =>
      onServers(async (ask) => checkedBag((await ask('liteServer_getBlock', { id: toTl(id) })).data, id)),
    /** The dictionary of params of the configuration in the zero state. */
    firstConfig: () => onServers(async (ask) => readStateConfig(await zeroStateCell(ask))),
    /** An account of 33 bytes at a masterchain block, or undefined if it does not exist there. */
    account: (block: BlockId, bytes: Buffer) => onServers((ask) => account(ask, block, bytes)),
    async close(): Promise<void> {
      await Promise.all([...clients].map(([position, client]) => drop(position, client)));
    },
  };
}

/** The result of work; rejects when the signal is aborted before. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => aborted.reject(signal.reason));
  return Promise.race([work, aborted.promise]);
}

export function isMissing(error: unknown): boolean {
  return error instanceof LiteRefusal && error.isMissing;
}

const TOO_LATE = 'The lite servers did not respond in time';
const LOOKUP_BY_SEQNO = 1;
const PROOF_TO_TARGET = 1;
/** Not at the newest block of the server, which may be a later one. */
const PROOF_AT_LATER_BLOCK = 0x1000;

/** Throws a LiteFault if a server says that its chain has another zero state. */
export function checkNetwork(
  shown: { readonly workchain: number; readonly rootHash: Buffer; readonly fileHash: Buffer },
  expected: Pick<BlockId, 'workchain' | 'rootHash' | 'fileHash'>,
): void {
  const [have, want] = [shown, expected].map(({ workchain, rootHash, fileHash }) =>
    `${workchain}:${rootHash.toString('hex')}:${fileHash.toString('hex')}`.toUpperCase(),
  );
  if (have !== want)
    throw new LiteFault(
      'network',
      `VALIDATE_ZERO_STATE: Masterchain zerostate mismatch: expected: ${want}, found ${have} from masterchain info`,
    );
}

async function newestBlock(ask: Ask): Promise<BlockId> {
  return fromTl((await ask('liteServer_getMasterchainInfo', {})).last);
}

export async function lookUp(ask: Ask, seqno: number): Promise<BlockId> {
  const id = {
    kind: 'tonNode.blockId',
    workchain: MASTERCHAIN,
    shard: String(WHOLE_SHARD),
    seqno,
  } as const;
  const block = await ask('liteServer_lookupBlock', { mode: LOOKUP_BY_SEQNO, id, lt: null, utime: null });
  return fromTl(block.id);
}

async function provenId(ask: Ask, seqno: number): Promise<BlockId> {
  const newest = await newestBlock(ask);
  if (newest.seqno === seqno) return newest;
  const id = await lookUp(ask, seqno);
  const { steps } = await ask('liteServer_getBlockProof', {
    mode: PROOF_TO_TARGET | PROOF_AT_LATER_BLOCK,
    knownBlock: toTl(newest),
    targetBlock: toTl(id),
  });
  const [link, ...more] = steps;
  if (link?.kind !== 'liteServer.blockLinkBack' || more.length > 0) throw wrong('is no link to an old block');
  const state = stateAfter(newest, openProof(link.proof), openProof(link.stateProof));
  const old = readOldBlocks(state).find((one) => one.seqno === seqno);
  if (!old?.rootHash.equals(id.rootHash) || !old.fileHash.equals(id.fileHash))
    throw wrong(`does not list masterchain block ${seqno}`);
  return id;
}

function fromTl({ workchain, shard, seqno, rootHash, fileHash }: tonNode_blockIdExt): BlockId {
  return { workchain, shard: BigInt(shard), seqno, rootHash, fileHash };
}

function toTl({ workchain, shard, seqno, rootHash, fileHash }: BlockId): tonNode_blockIdExt {
  return { kind: 'tonNode.blockIdExt', workchain, shard: String(shard), seqno, rootHash, fileHash };
}

function wrong(text: string): LiteFault {
  return new LiteFault('answer', `a response ${text}`);
}

/** The cells of a block or zero state whose id has both their hashes. */
function checkedBag(data: Buffer, { rootHash, fileHash }: BlockId): Cell {
  if (!createHash('sha256').update(data).digest().equals(fileHash)) throw wrong('has another file hash');
  const root = rootOf(data);
  if (!root.hash().equals(rootHash)) throw wrong('has another root hash');
  return root;
}

function openProofs(boc: Buffer): [block: Cell, state: Cell] {
  const roots = Cell.fromBoc(boc);
  if (roots.length !== 2) throw wrong('must have two proofs');
  return [shownBy(roots[0]!), shownBy(roots[1]!)];
}

function openProof(boc: Buffer): Cell {
  return shownBy(rootOf(boc));
}

/** The cell that a Merkle proof shows parts of; @ton/core has compared its hash with that of the proof. */
function shownBy(proof: Cell): Cell {
  if (proof.type !== CellType.MerkleProof) throw wrong('is no Merkle proof');
  return proof.refs[0]!;
}

/** Checks that a cell is the state after a block, given the root of the block. */
function stateAfter({ rootHash }: BlockId, block: Cell, state: Cell): Cell {
  const update = block.refs[2]!;
  const hash = update.bits.subbuffer(8 + 256, 256);
  if (!block.hash(0).equals(rootHash)) throw wrong('is about another block');
  if (update.type !== CellType.MerkleUpdate || hash === null || !state.hash(0).equals(hash))
    throw wrong('has a state of another block');
  return state;
}

/** A masterchain block and the shard blocks that it commits for the first time. */
export interface ChainSeqno {
  readonly mcSeqno: number;
  readonly masterchain: ChainBlock;
  readonly blocks: readonly ChainBlock[];
  readonly globalVersion: number;
  /** The account of the elector: 32 bytes; undefined if the configuration has none. */
  readonly elector?: Buffer | undefined;
}

const GLOBAL_VERSION = 8;
const ELECTOR = 1;

/** The seqnos of a range in order, with their blocks. Each block has the hashes of the one before, and the last is proven. */
export async function* readChain(
  chain: ChainReader,
  from: number,
  to: number,
): AsyncGenerator<ChainSeqno, void> {
  const end = await chain.masterchainId(to);
  const masterchainBlock = async (seqno: number): Promise<ChainBlock> =>
    readBlock(chain, seqno === to ? end : await chain.lookUp(seqno));
  let before: ChainBlock | undefined = from > 1 ? await masterchainBlock(from - 1) : undefined;
  let config: ConfigFacts | undefined;
  let next = masterchainBlock(from);
  for (let mcSeqno = from; mcSeqno <= to; mcSeqno++) {
    const masterchain = await next;
    next = mcSeqno < to ? masterchainBlock(mcSeqno + 1) : next;
    // It is awaited later; until then a failure must not count as unhandled.
    next.catch(() => {});
    if (!sameBlock(masterchain.previous[0]!, before?.id ?? chain.zeroState))
      throw new Failure(
        'conflict',
        `the chain changed meanwhile: masterchain block ${mcSeqno} does not follow ${mcSeqno - 1}`,
      );
    if (config === undefined || masterchain.isKey) config = factsIn(await configAt(chain, masterchain));
    const shardBlocks = await newShardBlocks(chain, masterchain.tops, before?.tops ?? []);
    yield { mcSeqno, masterchain, blocks: [masterchain, ...shardBlocks], ...config };
    before = masterchain;
  }
}

async function readBlock(chain: ChainReader, id: BlockId): Promise<ChainBlock> {
  return readChainBlock(id, await chain.block(id));
}

/** Walks back from the tops to the blocks that were committed before, or to zero states. */
async function newShardBlocks(chain: ChainReader, tops: readonly BlockId[], topsBefore: readonly BlockId[]) {
  const seen = new Set(topsBefore.map(keyOf));
  const blocks: ChainBlock[] = [];
  let wave = tops;
  while (wave.length > 0) {
    const fresh = wave.filter((id) => id.seqno > 0 && !seen.has(keyOf(id)));
    for (const id of fresh) seen.add(keyOf(id));
    // Blocks after a split have the same one before them.
    const ids = new Map(fresh.map((id) => [keyOf(id), id]));
    const read = await Promise.all([...ids.values()].map((id) => readBlock(chain, id)));
    blocks.push(...read);
    wave = read.flatMap(({ previous }) => previous);
  }
  return blocks;
}

/** From the key block or zero state that defines the configuration: servers keep all blocks, but not old states. */
async function configAt(chain: ChainReader, block: ChainBlock): Promise<Cell> {
  if (block.config !== undefined) return block.config;
  const keySeqno = Number(block.columns.prev_key_block_seqno);
  if (keySeqno === 0) return chain.firstConfig();
  return configAt(chain, await readBlock(chain, await chain.masterchainId(keySeqno)));
}

type ConfigFacts = Pick<ChainSeqno, 'globalVersion' | 'elector'>;

function factsIn(config: Cell): ConfigFacts {
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config);
  const elector = params.get(ELECTOR);
  return {
    globalVersion: params.get(GLOBAL_VERSION)?.beginParse().skip(8).loadUint(32) ?? 0,
    elector: elector && readBytes(elector.beginParse()),
  };
}

function keyOf({ rootHash }: BlockId): string {
  return rootHash.toString('hex');
}
