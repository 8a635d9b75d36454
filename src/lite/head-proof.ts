import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type BlockId, copyBlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../chain/block-id.ts';
import { parseHash } from '../chain/hash.ts';
import type { Log } from '../lib/log.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { checkBlockLink, getBlockProof } from './methods/block-proofs.ts';
import { blockProofFailure, type QueryServer } from './methods/proofs.ts';
import { createSignersCache } from './methods/signatures.ts';

interface HeadProverOptions {
  /** The block that is trusted without proof: the init block of the global config, or the zero state. */
  readonly anchor: BlockId;
  readonly store: HeadProofStore;
  readonly log: Log;
}

const MAX_PROVEN_BLOCKS = 1024;
const KEY_BLOCKS_PER_LOG_LINE = 100;

/**
 * Creates a prover of masterchain blocks from a trusted block, through key blocks and the signatures of their validators.
 * It continues from the last key block in the store.
 */
export async function createHeadProver({ anchor, store, log }: HeadProverOptions) {
  const signersOf = createSignersCache();
  const proven = new LRUCache<number, BlockId>({ max: MAX_PROVEN_BLOCKS });
  const proofs = new SingleFlight<void, QueryServer>();
  let keyBlock = (await store.load(anchor)) ?? anchor;
  let keyBlocksSeen = 0;

  function noteKeyBlock(block: BlockId): void {
    if (block.seqno <= keyBlock.seqno) return;
    keyBlock = copyBlockId(block);
    if (++keyBlocksSeen % KEY_BLOCKS_PER_LOG_LINE === 0)
      log.info({ seqno: block.seqno }, 'Proving the masterchain, key block by key block');
  }

  /** A block is proven even if that cannot be stored. */
  async function saveKeyBlock(): Promise<void> {
    await store.save(anchor, keyBlock).catch((error: unknown) => {
      log.warn({ err: error }, 'Storing the last proven key block failed');
    });
  }

  /** Proves the target from the last key block, one partial proof after another. */
  async function walk(query: QueryServer, target: BlockId): Promise<void> {
    let at = keyBlock;
    for (let first = true; !sameBlock(at, target); first = false) {
      const proof = await getBlockProof(query, at, target);
      // The first steps may go back, from an anchor that is not a key block; after that every proof must come closer,
      // or a server could keep us busy forever.
      if (!first && Math.abs(target.seqno - proof.to.seqno) >= Math.abs(target.seqno - at.seqno))
        throw blockProofFailure('block proof chain does not lead to the requested block');
      const before = keyBlock;
      for (const link of proof.steps) {
        await checkBlockLink(link, signersOf);
        if (link.toKeyBlock) noteKeyBlock(link.to);
        proven.set(link.to.seqno, copyBlockId(link.to));
      }
      if (keyBlock !== before) await saveKeyBlock();
      at = proof.to;
    }
  }

  /** Gets the proof of a block from a server and checks it; a wrong proof throws a ProofFailure. */
  async function prove(query: QueryServer, target: BlockId): Promise<void> {
    if (target.workchain !== MASTERCHAIN) throw blockProofFailure('the head is not a masterchain block');
    if (sameBlock(target, keyBlock) || isProven(target)) return;
    const name = `${target.seqno}:${target.rootHash.toString('hex')}:${target.fileHash.toString('hex')}`;
    for (;;) {
      const { owner, result } = proofs.join(name, query, () => walk(query, target));
      if (owner === query) return result;
      // Another server is proving the same block; its failure says nothing about this one.
      await result.catch(() => undefined);
      if (isProven(target)) return;
    }
  }

  /** Whether a block is proven; throws for another block than the proven one with that seqno. */
  function isProven(target: BlockId): boolean {
    const block = proven.get(target.seqno);
    if (block === undefined) return false;
    if (!sameBlock(block, target))
      throw blockProofFailure(`another block ${shortBlockName(target)} is proven already`);
    return true;
  }

  return {
    prove,
    /** The newest proven key block; proofs start there. */
    get keyBlock(): BlockId {
      return keyBlock;
    },
  };
}

/** Stores the last proven key block, so that a start need not prove the whole chain again. */
export interface HeadProofStore {
  /** The last key block proven from `anchor`, if any. */
  load(anchor: BlockId): Promise<BlockId | undefined>;
  save(anchor: BlockId, keyBlock: BlockId): Promise<void>;
}

/** Stores the last proven key block in a file. A damaged file, or one for another anchor, is ignored. */
export function createHeadProofStore(path: string, log: Log): HeadProofStore {
  return {
    async load(anchor) {
      try {
        const stored = JSON.parse(await readFile(path, 'utf8'));
        const storedAnchor = fromJson(stored.anchor);
        const keyBlock = fromJson(stored.keyBlock);
        return storedAnchor !== undefined && sameBlock(storedAnchor, anchor) ? keyBlock : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          log.warn({ path, err: error }, 'Stored key block unreadable, proving it again');
        return undefined;
      }
    },
    async save(anchor, keyBlock) {
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.new`;
      const stored = { anchor: toJson(anchor), keyBlock: toJson(keyBlock) };
      await writeFile(temporary, `${JSON.stringify(stored)}\n`);
      await rename(temporary, path);
    },
  };
}

function toJson({ workchain, shard, seqno, rootHash, fileHash }: BlockId): object {
  const hashes = { rootHash: rootHash.toString('base64'), fileHash: fileHash.toString('base64') };
  return { workchain, shard: shard.toString(), seqno, ...hashes };
}

function fromJson(stored: Record<string, unknown> | undefined): BlockId | undefined {
  if (stored === undefined) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash } = stored;
  const root = parseHash(String(rootHash));
  const file = parseHash(String(fileHash));
  if (!Number.isInteger(workchain) || !Number.isInteger(seqno) || root === undefined || file === undefined)
    return undefined;
  const place = { workchain: workchain as number, shard: BigInt(String(shard)), seqno: seqno as number };
  return { ...place, rootHash: root, fileHash: file };
}
