import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName } from '../chain/block-id.ts';
import { parseHash } from '../chain/hash.ts';
import type { Log } from '../lib/log.ts';
import type { Ask } from './methods/ask.ts';
import { checkBlockLink, getBlockProof } from './methods/block-proofs.ts';
import { blockProofFailure } from './methods/proofs.ts';
import { createSignersCache } from './methods/signatures.ts';

/** Proves masterchain blocks from a block that is trusted, through key blocks and their validators' signatures. */
export interface HeadProver {
  /** Asks a server for the proof of a block and checks it; a proof that does not hold throws a ProofFailure. */
  prove(ask: Ask, target: BlockId): Promise<void>;
  /** The newest key block that was proven; proofs start there. */
  readonly keyBlock: BlockId;
}

/** What a prover works with. */
interface HeadProverOptions {
  /** The block that is trusted without proof: the init block of the network's config, or its zero state. */
  readonly anchor: BlockId;
  readonly memory: HeadProofStore;
  readonly log: Log;
}

const KNOWN_BLOCKS = 1024;
const KEY_BLOCKS_PER_LOG_LINE = 100;

/** Makes a prover; what was proven before the last stop is remembered. */
export async function createHeadProver({ anchor, memory, log }: HeadProverOptions): Promise<HeadProver> {
  const signersOf = createSignersCache();
  const proven = new Map<number, BlockId>();
  const underway = new Map<string, Promise<void>>();
  let keyBlock = (await memory.load(anchor)) ?? anchor;
  let keyBlocksSeen = 0;

  function remember(block: BlockId): void {
    proven.set(block.seqno, copyOf(block));
    if (proven.size > KNOWN_BLOCKS) proven.delete(proven.keys().next().value!);
  }

  function rememberKeyBlock(block: BlockId): void {
    if (block.seqno <= keyBlock.seqno) return;
    keyBlock = copyOf(block);
    if (++keyBlocksSeen % KEY_BLOCKS_PER_LOG_LINE === 0)
      log.info({ seqno: block.seqno }, 'proving the masterchain, key block by key block');
  }

  /** A proof that cannot be stored is still a proof. */
  async function store(): Promise<void> {
    await memory.save(anchor, keyBlock).catch((error: unknown) => {
      log.warn({ err: error }, 'the last proven key block cannot be stored');
    });
  }

  /** Walks from the last key block to the target, one partial proof after another. */
  async function walk(ask: Ask, target: BlockId): Promise<void> {
    let known = keyBlock;
    for (let first = true; !sameBlock(known, target); first = false) {
      const proof = await getBlockProof(ask, known, target);
      // The first steps may go back, from an anchor that is no key block; after that every proof must come closer,
      // or a server could keep us walking for ever.
      if (!first && Math.abs(target.seqno - proof.to.seqno) >= Math.abs(target.seqno - known.seqno))
        throw blockProofFailure('block proof chain does not lead to the requested block');
      const before = keyBlock;
      for (const link of proof.steps) {
        await checkBlockLink(link, signersOf);
        if (link.toKeyBlock) rememberKeyBlock(link.to);
        remember(link.to);
      }
      if (keyBlock !== before) await store();
      known = proof.to;
    }
  }

  async function prove(ask: Ask, target: BlockId): Promise<void> {
    if (target.workchain !== MASTERCHAIN) throw blockProofFailure('the head is not a masterchain block');
    if (sameBlock(target, keyBlock) || isProven(target)) return;
    const name = `${target.seqno}:${target.rootHash.toString('hex')}:${target.fileHash.toString('hex')}`;
    // Another server may be proving the same block; only its success counts for this one.
    for (let other = underway.get(name); other !== undefined; other = underway.get(name)) {
      await other.catch(() => undefined);
      if (isProven(target)) return;
    }
    const run = walk(ask, target).finally(() => {
      underway.delete(name);
    });
    underway.set(name, run);
    await run;
  }

  /** Whether a block is known to be right; a block with a proven one's number that is another one is a lie. */
  function isProven(target: BlockId): boolean {
    const known = proven.get(target.seqno);
    if (known === undefined) return false;
    if (!sameBlock(known, target))
      throw blockProofFailure(`another block ${shortBlockName(target)} is proven already`);
    return true;
  }

  return {
    prove,
    get keyBlock() {
      return keyBlock;
    },
  };
}

/** A block id of its own, so that it does not hold the whole answer in memory. */
function copyOf(block: BlockId): BlockId {
  return { ...block, rootHash: Buffer.from(block.rootHash), fileHash: Buffer.from(block.fileHash) };
}

/** Remembers the last key block that was proven, so that a start need not prove the whole chain again. */
export interface HeadProofStore {
  /** The last key block proven from `anchor`, or undefined when nothing is known. */
  load(anchor: BlockId): Promise<BlockId | undefined>;
  save(anchor: BlockId, keyBlock: BlockId): Promise<void>;
}

/** Keeps the last proven key block in a file. A file that is damaged, or about another anchor, counts as none. */
export function createHeadProofStore(path: string, log: Log): HeadProofStore {
  return {
    async load(anchor) {
      try {
        const stored = JSON.parse(await readFile(path, 'utf8'));
        const known = fromJson(stored.anchor);
        const keyBlock = fromJson(stored.keyBlock);
        return known !== undefined && sameBlock(known, anchor) ? keyBlock : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          log.warn({ path, err: error }, 'the last proven key block cannot be read and is proven again');
        return undefined;
      }
    },
    async save(anchor, keyBlock) {
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}.new`;
      await writeFile(
        temporary,
        `${JSON.stringify({ anchor: toJson(anchor), keyBlock: toJson(keyBlock) })}\n`,
      );
      await rename(temporary, path);
    },
  };
}

function toJson(block: BlockId): object {
  return {
    workchain: block.workchain,
    shard: block.shard.toString(),
    seqno: block.seqno,
    rootHash: block.rootHash.toString('base64'),
    fileHash: block.fileHash.toString('base64'),
  };
}

function fromJson(stored: Record<string, unknown> | undefined): BlockId | undefined {
  if (stored === undefined) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash } = stored;
  const root = parseHash(String(rootHash));
  const file = parseHash(String(fileHash));
  if (!Number.isInteger(workchain) || !Number.isInteger(seqno) || root === undefined || file === undefined)
    return undefined;
  return {
    workchain: workchain as number,
    shard: BigInt(String(shard)),
    seqno: seqno as number,
    rootHash: root,
    fileHash: file,
  };
}
