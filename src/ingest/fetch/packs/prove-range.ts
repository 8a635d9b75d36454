import { hash } from 'node:crypto';
import { type BlockId, sameBlock, shortBlockName } from '../../../chain/block-id.ts';
import type { SeqnoRange } from '../../../index/snapshot.ts';
import { type MasterchainFacts, readMasterchainFacts } from '../masterchain-blocks.ts';
import type { MasterchainProver } from './masterchain-proof.ts';
import type { PackIndex } from './pack-index.ts';
import type { EntryReader, OnDamage, PackageEntry } from './package-file.ts';

/** A masterchain block that is proven, and where it is. */
export interface ProvenBlock {
  readonly id: BlockId;
  readonly entry: PackageEntry;
  readonly facts: MasterchainFacts;
  /** Its bytes; of later blocks than fit into memory they are left out, to be read again. */
  readonly bytes?: Buffer | undefined;
}

/** Memory for the bytes of a range. */
const KEPT_BYTES = 8 * 2 ** 20;

interface ProveRangeParts {
  readonly index: PackIndex;
  readonly reader: EntryReader;
  readonly prover: MasterchainProver;
  readonly onDamage: OnDamage;
  readonly signal: AbortSignal;
}

/**
 * Proves the masterchain blocks of a range, from the last one to the first: each names the one before it by its hashes, so
 * that signatures are checked of the last one only, and after each block that is missing or damaged. Blocks that cannot be
 * proven are left out.
 */
export async function proveRange(
  parts: ProveRangeParts,
  { first, last }: SeqnoRange,
): Promise<Map<number, ProvenBlock>> {
  const { index, signal } = parts;
  const proven = new Map<number, ProvenBlock>();
  const keep = createKeeper(proven);
  /** The id of the next block by the one after it. */
  let named = await namedByKnown(parts, last + 1);
  for (let seqno = last; seqno >= first; seqno--) {
    signal.throwIfAborted();
    const entries = await index.masterchainBlocks(seqno);
    const block =
      named === undefined ? await findSigned(parts, seqno, entries) : await findNamed(parts, named, entries);
    if (block !== undefined) keep(block);
    named = block?.facts.previous;
  }
  return proven;
}

/** Adds blocks, the last one of a range first; those that are needed last lose their bytes first. */
function createKeeper(proven: Map<number, ProvenBlock>) {
  const kept: ProvenBlock[] = [];
  let oldest = 0;
  let total = 0;
  return (block: ProvenBlock): void => {
    proven.set(block.id.seqno, block);
    kept.push(block);
    total += block.entry.dataBytes;
    for (; total > KEPT_BYTES && oldest < kept.length; oldest++) {
      const { bytes: _, ...rest } = kept[oldest]!;
      proven.set(rest.id.seqno, rest);
      total -= rest.entry.dataBytes;
    }
  };
}

/** The block before one that is trusted or indexed. */
async function namedByKnown(parts: ProveRangeParts, seqno: number): Promise<BlockId | undefined> {
  for (const entry of await parts.index.masterchainBlocks(seqno))
    if (await parts.prover.isKnown(entry.id)) return (await readFacts(parts, entry))?.facts.previous;
  return undefined;
}

/** The block that the one after it names. */
async function findNamed(parts: ProveRangeParts, id: BlockId, entries: readonly PackageEntry[]) {
  for (const entry of entries) {
    const isThis = sameBlock(entry.id, id);
    const block = isThis ? await readFacts(parts, entry) : undefined;
    if (block !== undefined) return block;
    if (!isThis)
      parts.onDamage({
        path: entry.path,
        at: entry.dataAt,
        reason: `block ${shortBlockName(id)} here is not the one that the next masterchain block names`,
      });
  }
  return undefined;
}

/** The block with a proof that the validators signed. */
async function findSigned(parts: ProveRangeParts, seqno: number, entries: readonly PackageEntry[]) {
  const proofs = entries.length === 0 ? [] : await parts.index.proofs(seqno);
  for (const entry of entries) {
    if (!(await isSigned(parts, entry, proofs))) continue;
    const block = await readFacts(parts, entry);
    if (block !== undefined) return block;
  }
  return undefined;
}

async function isSigned(
  { reader, prover, onDamage, signal }: ProveRangeParts,
  { id, path, dataAt }: PackageEntry,
  proofs: readonly PackageEntry[],
) {
  const own = proofs.filter((proof) => sameBlock(proof.id, id));
  for (const proof of own)
    try {
      await prover.prove(id, await reader.read(proof));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      // Lite servers and their clients know the prefix.
      const detail = (error as Error).message.replace(/^VALIDATE_BLOCK_PROOF:? ?/, '');
      const reason = `proof of block ${shortBlockName(id)} refused: ${detail}`;
      onDamage({ path: proof.path, at: proof.dataAt, reason });
    }
  if (own.length === 0)
    onDamage({
      path,
      at: dataAt,
      reason: `block ${shortBlockName(id)} is not proven: there is no proof of it`,
    });
  return false;
}

async function readFacts(parts: ProveRangeParts, entry: PackageEntry): Promise<ProvenBlock | undefined> {
  const bytes = await readBlock(parts, entry);
  if (bytes === undefined) return undefined;
  try {
    return { id: entry.id, entry, facts: readMasterchainFacts(bytes), bytes };
  } catch (error) {
    const reason = `block ${shortBlockName(entry.id)} cannot be read: ${(error as Error).message}`;
    parts.onDamage({ path: entry.path, at: entry.dataAt, reason });
    return undefined;
  }
}

/**
 * Reads a block whose id is proven; undefined if it is damaged. The file hash of its id decides: whoever named the block named
 * both hashes, and no other bytes have this one.
 */
export async function readBlock(
  { reader, onDamage }: Pick<ProveRangeParts, 'reader' | 'onDamage'>,
  entry: PackageEntry,
): Promise<Buffer | undefined> {
  const { path, dataAt: at, id } = entry;
  try {
    const bytes = await reader.read(entry);
    if (hash('sha256', bytes, 'buffer').equals(id.fileHash)) return bytes;
    onDamage({ path, at, reason: `block ${shortBlockName(id)} has another file hash than its name says` });
  } catch (error) {
    onDamage({ path, at, reason: `block ${shortBlockName(id)} cannot be read: ${(error as Error).message}` });
  }
  return undefined;
}
