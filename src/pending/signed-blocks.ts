import { type AccountId, accountKey } from '../chain/address.ts';
import {
  type BlockId,
  copyBlockId,
  isPossibleBlock,
  MASTERCHAIN,
  sameBlock,
  shortBlockName,
} from '../chain/block-id.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { compareByLt } from '../chain/logical-time.ts';
import { shardsIntersect } from '../chain/shards.ts';
import { walkTransactions } from '../chain/tlb/account-blocks.ts';
import { previousBlocks, readBlockExtra, readBlockInfo, readBlockRoot } from '../chain/tlb/block.ts';
import { normalizedHash } from '../chain/tlb/message.ts';
import { accountsOfTransaction } from '../chain/tlb/placed-transaction.ts';
import { readTransaction, type Transaction } from '../chain/tlb/transaction.ts';
import { bytesKey, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import { LiteServerError, NoLiteServer } from '../lite/errors.ts';
import { getAccountState } from '../lite/methods/accounts.ts';
import { getBlockBytes } from '../lite/methods/blocks.ts';
import type { CheckOptions, QueryServer } from '../lite/methods/proofs.ts';
import { getAllShardsInfo, getPendingShardBlocks } from '../lite/methods/shards.ts';
import type { LitePool } from '../lite/pool.ts';
import type { LiteSession } from '../lite/session.ts';
import { shardAccountBoc } from '../live/emulation.ts';
import type { SignedTransaction } from './follow-chain.ts';
import type { SignedBlock, SignedInterest } from './pending-traces.ts';

interface SignedBlocksOptions {
  readonly pool: Pick<LitePool, 'session' | 'head'>;
  readonly check: CheckOptions;
  readonly log: Log;
  readonly pollMs?: number;
}

/** What is done with what is found. */
interface SignedBlocksUser {
  /** Whether somebody waits for transactions, besides those who are interested in accounts. */
  isNeeded(): boolean;
  /** Blocks were added, or dropped. Never rejects. */
  changed(): Promise<void>;
  /** The message that a trace began with in which accounts of interest take part, as a bag of cells. */
  found(message: Buffer): void;
}

/**
 * Shard blocks that validators have signed and no masterchain block has taken yet. Only nodes whose operator allows it
 * tell of them (`--nonfinal-ls`), and what they say is not proven: a block has the hashes of its id, but nothing proves the
 * id. So nothing of it gets into the index; it is forgotten when the masterchain has taken it, or another one.
 */
export type SignedBlocks = ReturnType<typeof createSignedBlocks>;

/** A few times per second, as long as somebody needs it. */
const POLL_MS = 250;
const IDLE_POLL_MS = 1000;
const BUDGET_MS = 3000;
/** A server that refuses is asked again after this time, and one that does not respond after the other. */
const REFUSED_MS = 600_000;
const FAILED_MS = 5000;
/** A block that the masterchain has passed is kept for so long: servers are not all at the same block. */
const PASSED_SEQNOS = 2;
const PASSED_MS = 5000;
/** What the masterchain does not take by then is forgotten. */
const MAX_AGE_MS = 60_000;
/** Signed blocks of a shard on top of the last one that the masterchain has; nodes make no more. */
const MAX_AHEAD = 32;
const MAX_BLOCKS = 256;
/** Messages are remembered at least for so long, with the message that started their trace. */
const ORIGINS_MS = 30_000;

/** Follows the signed blocks of lite servers that show them, from `start` to `close`. */
export function createSignedBlocks({ pool, check, log, pollMs = POLL_MS }: SignedBlocksOptions) {
  const ended = new AbortController();
  const offers = createOffers(log);
  const held = new Map<string, HeldBlock>();
  const interests = new Set<SignedInterest>();
  /** Transactions by what they received: an external message by its normalized hash. */
  let byMessage = new Map<HashKey, SignedTransaction>();
  let origins = createOrigins();
  let tops: { readonly head: BlockId; readonly blocks: readonly BlockId[] } | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;

  const isOpen = () => [...interests].some((interest) => interest.isOpen());

  async function run(user: SignedBlocksUser): Promise<void> {
    while (!ended.signal.aborted) {
      const isNeeded = user.isNeeded() || isOpen();
      try {
        if (isNeeded) await look(user);
        else if (await dropPassed()) await user.changed();
        isFailing = false;
      } catch (error) {
        if (!isFailing && !ended.signal.aborted)
          log.warn({ err: error }, 'Failed to read signed shard blocks');
        isFailing = true;
      }
      const pauseMs = isNeeded ? pollMs : IDLE_POLL_MS;
      await pause(pauseMs, ended.signal, { ref: false });
    }
  }

  async function look(user: SignedBlocksUser): Promise<void> {
    const server = pool.head === undefined ? undefined : await findServer();
    const listed = server && (await offers.ask(server, () => getPendingShardBlocks(server.query)));
    const added: HeldBlock[] = [];
    let failure: unknown;
    for (const id of listed?.signedBlocks ?? [])
      try {
        for (const block of await load(server!.query, id)) {
          hold(block);
          added.push(block);
        }
      } catch (error) {
        failure = error;
      }
    const isChanged = (await dropPassed()) || added.length > 0;
    if (isChanged) await user.changed();
    for (const block of added) await tellInterested(block, server!.query, user);
    if (failure !== undefined) throw failure;
  }

  /** A server that shows signed blocks, or has not been asked; undefined if there is none. */
  async function findServer(among = offers.mayOffer) {
    try {
      const session = await pool.session({ budgetMs: BUDGET_MS, signal: ended.signal, among });
      // What is signed does not depend on a masterchain block.
      const query: QueryServer = (request) => session.query(request, { waitSeqno: 0 });
      return { index: session.index, name: session.name, query };
    } catch (error) {
      if (error instanceof NoLiteServer) return undefined;
      throw error;
    }
  }

  /** A signed block with those before it that are not known yet, the oldest first; none if it cannot be a part of the chain. */
  async function load(query: QueryServer, signed: BlockId): Promise<HeldBlock[]> {
    const found: HeldBlock[] = [];
    const wanted = [signed];
    const known = await readTops();
    for (let id = wanted.shift(); id !== undefined; id = wanted.shift()) {
      const { workchain, shard, seqno } = id;
      const name = nameOf(id);
      if (held.has(name) || found.some((block) => block.name === name)) continue;
      const top = known.find((one) => one.workchain === workchain && shardsIntersect(one.shard, shard));
      if (workchain === MASTERCHAIN || !isPossibleBlock(id) || top === undefined) return [];
      if (seqno === top.seqno && shard === top.shard && !sameBlock(id, top)) return [];
      if (seqno <= top.seqno) continue;
      if (seqno > top.seqno + MAX_AHEAD || found.length >= MAX_AHEAD) return [];
      const block = readBlock(copyBlockId(id), await getBlockBytes(query, id, check));
      found.unshift(block);
      wanted.push(...block.previous);
    }
    return found;
  }

  /** The newest shard blocks that the masterchain has. */
  async function readTops(): Promise<readonly BlockId[]> {
    const { head } = pool;
    if (head === undefined) return [];
    if (tops === undefined || !sameBlock(tops.head, head)) {
      const session = await pool.session({
        budgetMs: BUDGET_MS,
        signal: ended.signal,
        seqno: head.seqno,
      });
      const blocks = await session.run(({ query }) => getAllShardsInfo(query, head, check));
      tops = { head, blocks };
    }
    return tops.blocks;
  }

  function hold(block: HeldBlock): void {
    held.set(block.name, block);
    for (const [key, transaction] of block.byMessage) byMessage.set(key, transaction);
    if (isOpen()) origins.add(block);
    for (const name of held.keys()) {
      if (held.size <= MAX_BLOCKS) break;
      held.delete(name);
    }
  }

  /** Forgets blocks that the masterchain has, or never will; returns whether there were any. */
  async function dropPassed(): Promise<boolean> {
    if (held.size === 0) return false;
    const known = await readTops();
    const headSeqno = tops?.head.seqno ?? 0;
    const nowMs = performance.now();
    const dropped: HeldBlock[] = [];
    for (const block of held.values()) {
      const { workchain, shard, seqno } = block.id;
      const isPassed = known.some(
        (top) => top.workchain === workchain && shardsIntersect(top.shard, shard) && top.seqno >= seqno,
      );
      if (isPassed) block.passed ??= { seqno: headSeqno, atMs: nowMs };
      const { passed } = block;
      const isOver =
        passed !== undefined &&
        (headSeqno >= passed.seqno + PASSED_SEQNOS || nowMs > passed.atMs + PASSED_MS);
      if (isOver || nowMs > block.addedMs + MAX_AGE_MS) dropped.push(block);
    }
    if (dropped.length === 0) return false;
    for (const { name } of dropped) held.delete(name);
    byMessage = new Map([...held.values()].flatMap((block) => [...block.byMessage]));
    for (const settle of dropped.flatMap(({ seenBy }) => seenBy)) await settle();
    return true;
  }

  /** Traces in which somebody is interested are followed from the message on that started them. */
  async function tellInterested(block: HeldBlock, query: QueryServer, user: SignedBlocksUser): Promise<void> {
    const { id, genUtime, accounts, lasts, starts } = block;
    const read: SignedBlock['read'] = (account) => readAccount(query, id, account);
    const shown: SignedBlock = { id, genUtime, accounts, lasts, starts, read, readAtHead };
    for (const interest of interests) {
      if (!interest.isOpen()) continue;
      block.seenBy.push(() => interest.settled(shown));
      const watched = new Set((await interest.seen(shown)).map(bytesKey));
      const messages = new Set<Buffer>();
      for (const { accounts, received } of block.transactions) {
        const start = received === undefined ? undefined : origins.find(received);
        if (start !== undefined && accounts.some((account) => watched.has(account))) messages.add(start);
      }
      for (const message of messages) user.found(message);
    }
  }

  async function readAtHead(account: AccountId): Promise<Buffer> {
    const session = await pool.session({ budgetMs: BUDGET_MS, signal: ended.signal });
    return session.run(({ query, reference }) => readAccount(query, reference, account));
  }

  async function readAccount(query: QueryServer, block: BlockId, account: AccountId): Promise<Buffer> {
    return shardAccountBoc(await getAccountState(query, block, account, check));
  }

  return {
    start(user: SignedBlocksUser): void {
      running ??= run(user);
    },
    /** The transaction that received a message; an external one is found by its normalized hash. */
    receiving: (hash: Buffer): SignedTransaction | undefined => byMessage.get(bytesKey(hash)),
    /** An account after the newest signed block with a transaction of it; undefined if there is none that can be read. */
    async account(account: AccountId): Promise<Buffer | undefined> {
      const key = bytesKey(accountKey(account.workchain, account.hash));
      const blocks = [...held.values()].filter(({ lasts }) => lasts.has(key));
      const newest = blocks.sort((a, b) => b.id.seqno - a.id.seqno)[0];
      if (newest === undefined) return undefined;
      try {
        const server = await findServer(offers.offers);
        return server && (await readAccount(server.query, newest.id, account));
      } catch {
        return undefined;
      }
    },
    /** Somebody is told of each block from now on; the returned function ends it. */
    follow(interest: SignedInterest): () => void {
      interests.add(interest);
      return () => interests.delete(interest);
    },
    /** Forgets everything: the chain was replaced. */
    clear(): void {
      held.clear();
      byMessage.clear();
      origins = createOrigins();
      tops = undefined;
    },
    async close(): Promise<void> {
      ended.abort();
      await running;
    },
  };
}

/** Which servers show signed blocks: each is asked once, and again only after a while if it refuses. */
function createOffers(log: Log) {
  const notBefore = new Map<number, number>();
  const known = new Set<number>();
  return {
    offers: (index: number): boolean => known.has(index),
    mayOffer: (index: number): boolean => (notBefore.get(index) ?? 0) <= performance.now(),
    /** Asks a server; undefined if it does not show them. */
    async ask<T>(
      { index, name }: Pick<LiteSession, 'index' | 'name'>,
      query: () => Promise<T>,
    ): Promise<T | undefined> {
      try {
        const answer = await query();
        if (!known.has(index)) log.info({ server: name }, 'Lite server shows signed shard blocks');
        known.add(index);
        return answer;
      } catch (error) {
        const isRefusal = error instanceof LiteServerError && !known.has(index);
        notBefore.set(index, performance.now() + (isRefusal ? REFUSED_MS : FAILED_MS));
        if (!isRefusal) throw error;
        return undefined;
      }
    },
  };
}

/** A transaction of a signed block, by what is searched for. */
interface HeldTransaction {
  readonly lt: bigint;
  readonly hash: Buffer;
  /** Of itself and of those at the other ends of its messages. */
  readonly accounts: readonly HashKey[];
  /** The message that it received. */
  readonly received: HashKey | undefined;
  readonly sent: readonly HashKey[];
  /** The external message that it received, as a bag of cells. */
  readonly start: Buffer | undefined;
}

type HeldBlock = ReturnType<typeof readBlock>;

/** Reads a block; throws CellError if it is not the one of its id. */
function readBlock(id: BlockId, bytes: Buffer) {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  if (!bag.hash(bag.root).equals(id.rootHash) || shortBlockName(info) !== shortBlockName(id))
    throw new CellError(`block ${shortBlockName(id)} is another one`);
  const transactions: HeldTransaction[] = [];
  const byMessage = new Map<HashKey, SignedTransaction>();
  const lasts = new Map<HashKey, { readonly lt: bigint; readonly hash: Buffer; readonly now: number }>();
  const accounts: Buffer[] = [];
  const starts = new Map<HashKey, Buffer>();
  walkTransactions(bag, readBlockExtra(bag, root.extra).accountBlocks, (_account, lt, cell) => {
    const transaction = readTransaction(bag, cell, id.workchain);
    const { inMessage, outMessages, hash, now } = transaction;
    const account = accountKey(id.workchain, transaction.account.hash);
    const others = accountsOfTransaction(transaction);
    const isExternal = inMessage?.info.kind === 'external-in';
    accounts.push(account, ...others);
    if (isExternal) starts.set(bytesKey(normalizedHash(inMessage)), account);
    lasts.set(bytesKey(account), { lt, hash: Buffer.from(hash), now });
    if (inMessage !== undefined)
      byMessage.set(bytesKey(isExternal ? normalizedHash(inMessage) : inMessage.hash), {
        listed: { cells: bag, cell, hash, lt, claimedBlock: id },
        workchain: id.workchain,
        mcSeqno: info.masterRef?.seqno ?? 0,
        inHash: inMessage.hash,
        inHashNorm: normalizedHash(inMessage),
      });
    transactions.push({
      lt,
      hash,
      accounts: [account, ...others].map(bytesKey),
      received: inMessage && bytesKey(inMessage.hash),
      sent: outMessages.map((message) => bytesKey(message.hash)),
      start: isExternal ? bocOfMessage(transaction) : undefined,
    });
  });
  return {
    id,
    name: nameOf(id),
    genUtime: info.genUtime,
    previous: previousBlocks(info),
    /** Who sent a message comes before who received it. */
    transactions: transactions.sort(compareByLt),
    byMessage,
    lasts,
    starts,
    accounts: distinctBytes(accounts),
    addedMs: performance.now(),
    /** Tells those who have seen it that it is over. */
    seenBy: [] as (() => Promise<void>)[],
    /** The head at which the masterchain was seen to have it, or another one in its place. */
    passed: undefined as { readonly seqno: number; readonly atMs: number } | undefined,
  };
}

/** The message that a transaction received, as a bag of cells. */
export function bocOfMessage({ cells, inMessage }: Transaction): Buffer {
  return writeBoc({ cells, roots: [inMessage!.cell] }, { order: 'tonlib', crc: false });
}

function nameOf({ rootHash }: BlockId): string {
  return bytesKey(rootHash);
}

/** The external messages that the messages of signed blocks follow from, for a while. */
function createOrigins() {
  let [recent, older] = [new Map<HashKey, Buffer>(), new Map<HashKey, Buffer>()];
  let turnedMs = performance.now();
  const find = (message: HashKey): Buffer | undefined => recent.get(message) ?? older.get(message);
  return {
    find,
    add({ transactions }: HeldBlock): void {
      if (performance.now() > turnedMs + ORIGINS_MS) {
        [recent, older] = [new Map(), recent];
        turnedMs = performance.now();
      }
      for (const { received, sent, start } of transactions) {
        const origin = start ?? (received === undefined ? undefined : find(received));
        if (origin === undefined) continue;
        for (const message of [received!, ...sent]) recent.set(message, origin);
      }
    },
  };
}
