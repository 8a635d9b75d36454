import { LRUCache } from 'lru-cache';
import {
  type BlockId,
  copyBlockId,
  isMasterchain,
  sameBlock,
  shortBlockName,
} from '../../../chain/block-id.ts';
import { readBoc } from '../../../chain/boc/bag.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { openMerkleProof } from '../../../chain/boc/merkle.ts';
import type { SignatureSet } from '../../../chain/tl/signatures.ts';
import { type BlockInfo, readBlockInfo, readBlockRoot } from '../../../chain/tlb/block.ts';
import { readBlockProof } from '../../../chain/tlb/block-proof.ts';
import {
  checkSignatures,
  configOfKeyBlock,
  configOfState,
  type Signers,
  signersOfConfig,
} from '../../../lite/methods/signatures.ts';

interface MasterchainProverOptions {
  readonly zeroState: BlockId;
  /** The cells of the zero state; without it only what follows trusted and indexed blocks is proven. */
  readonly zeroStateRoot: CellRef | undefined;
  /** Blocks that are trusted without proof. */
  readonly trusted: readonly BlockId[];
  /** Whether the index has a block: what is indexed was proven. */
  readonly isIndexed: (id: BlockId) => Promise<boolean>;
  /** The proofs that packs hold of the masterchain block with a seqno. */
  readonly readProofs: (seqno: number) => Promise<readonly Buffer[]>;
  /** The undamaged blocks that packs hold with a seqno: one that is known is a key block without any proof. */
  readonly readBlocks: (seqno: number) => Promise<readonly KnownBlock[]>;
}

interface KnownBlock {
  readonly id: BlockId;
  readonly bytes: Buffer;
}

/** A proven key block, or the zero state, with its configuration. */
interface KeyBlock {
  readonly id: BlockId;
  /** The root of its params. */
  readonly config: CellRef;
}

/** The block is not proven: its proof is missing or wrong. */
class UnprovenBlock extends Error {
  override readonly name = 'UnprovenBlock';
}

/** Each holds the validators of the network. */
const MAX_KEY_BLOCKS = 64;
const MAX_SIGNERS = 8;

export type MasterchainProver = ReturnType<typeof createMasterchainProver>;

/**
 * Creates a prover of masterchain blocks from the zero state by the signatures in proofs of packs: the validators that a
 * key block names sign the blocks up to the next one.
 */
export function createMasterchainProver(options: MasterchainProverOptions) {
  const { zeroState, zeroStateRoot, trusted, isIndexed, readProofs, readBlocks } = options;
  const genesis = zeroStateRoot && {
    id: zeroState,
    config: { cells: zeroStateRoot.cells, cell: configOfState(zeroStateRoot) },
  };
  const keyBlocks = new LRUCache<number, KeyBlock>({ max: MAX_KEY_BLOCKS });
  const signers = new LRUCache<string, Signers>({ max: MAX_SIGNERS });

  function signersOf({ id, config }: KeyBlock, catchainSeqno: number): Signers {
    const key = `${id.seqno}:${catchainSeqno}`;
    const known = signers.get(key) ?? signersOfConfig(config, id, catchainSeqno);
    signers.set(key, known);
    return known;
  }

  /** The proven key block with a seqno; the one before it is proven first, and so on. */
  async function keyBlockAt(seqno: number): Promise<KeyBlock> {
    const open: { readonly seqno: number; readonly proofs: readonly OpenProof[] }[] = [];
    let found = known(seqno);
    for (let at = seqno; found === undefined; ) {
      const proofs = await openProofs(at);
      found = (await firstKnown(proofs)) ?? (await knownBlock(at));
      if (found !== undefined) break;
      if (proofs.length === 0)
        throw new UnprovenBlock(`no pack has a proof of key block ${at}, whose validators sign later blocks`);
      open.push({ seqno: at, proofs });
      const before = proofs[0]!.info.prevKeyBlockSeqno;
      if (before >= at) throw new UnprovenBlock(`key block ${at} names a later key block before it`);
      at = before;
      found = known(at);
    }
    for (const { seqno: at, proofs } of open.reverse()) {
      found = await firstSigned(proofs, found!);
      keyBlocks.set(at, found);
    }
    return found!;
  }

  function known(seqno: number): KeyBlock | undefined {
    if (seqno !== 0) return keyBlocks.get(seqno);
    if (genesis === undefined)
      throw new UnprovenBlock(
        'the zero state of the masterchain, whose validators sign the first blocks, is missing',
      );
    return genesis;
  }

  async function openProofs(seqno: number): Promise<OpenProof[]> {
    return (await readProofs(seqno)).flatMap((bytes) => {
      try {
        return [openProof(bytes)];
      } catch {
        // Reported where the entry itself is used.
        return [];
      }
    });
  }

  async function knownBlock(seqno: number): Promise<KeyBlock | undefined> {
    for (const { id, bytes } of await readBlocks(seqno)) {
      if (!(await isKnown(id))) continue;
      const bag = readBoc(bytes);
      return {
        id: copyBlockId(id),
        config: { cells: bag, cell: configOfKeyBlock({ cells: bag, cell: bag.root }) },
      };
    }
    return undefined;
  }

  /** Whether a block needs no proof: it is trusted, or the index has it. */
  async function isKnown(id: BlockId): Promise<boolean> {
    return trusted.some((block) => sameBlock(block, id)) || isIndexed(id);
  }

  async function firstKnown(proofs: readonly OpenProof[]): Promise<KeyBlock | undefined> {
    for (const proof of proofs) if (await isKnown(proof.id)) return toKeyBlock(proof);
    return undefined;
  }

  /** Of several blocks with one seqno, the one that the validators signed. */
  async function firstSigned(proofs: readonly OpenProof[], before: KeyBlock): Promise<KeyBlock> {
    let failure: unknown;
    for (const proof of proofs)
      try {
        await checkSigned(proof, before);
        return toKeyBlock(proof);
      } catch (error) {
        failure = error;
      }
    throw new UnprovenBlock(`key block ${proofs[0]!.id.seqno} is not proven: ${(failure as Error).message}`, {
      cause: failure,
    });
  }

  async function checkSigned({ id, info, signatures }: OpenProof, before: KeyBlock): Promise<void> {
    if (signatures === undefined) throw new UnprovenBlock('the proof has no signatures');
    // Without these two, former validators could sign a fork of their own.
    for (const seqno of keyBlocks.keys())
      if (seqno > info.prevKeyBlockSeqno && seqno < id.seqno)
        throw new UnprovenBlock(
          `the key block before it is ${info.prevKeyBlockSeqno}, but ${seqno} is one too`,
        );
    if (info.prevKeyBlockSeqno !== before.id.seqno)
      throw new UnprovenBlock(`the key block before it is ${info.prevKeyBlockSeqno}, not ${before.id.seqno}`);
    const group = signersOf(before, info.genCatchainSeqno);
    if (group.setHash !== info.genValidatorListHashShort)
      throw new UnprovenBlock(`another validator set than that of key block ${before.id.seqno}`);
    await checkSignatures(signatures, id, group);
  }

  return {
    isKnown,
    /** Checks the proof of a masterchain block by the signatures in it; throws UnprovenBlock, ProofFailure or CellError. */
    async prove(id: BlockId, bytes: Buffer): Promise<void> {
      if (await isKnown(id)) return;
      const proof = openProof(bytes);
      if (!sameBlock(proof.id, id))
        throw new UnprovenBlock(
          `the proof is that of ${shortBlockName(proof.id)}, or of another block there`,
        );
      await checkSigned(proof, await keyBlockAt(proof.info.prevKeyBlockSeqno));
    },
    /** The proven key block with a seqno; its configuration may show the validators alone. */
    keyBlock: keyBlockAt,
  };
}

interface OpenProof {
  readonly id: BlockId;
  readonly info: BlockInfo;
  readonly signatures: SignatureSet | undefined;
  /** The root of the block, as far as it is shown. */
  readonly block: CellRef;
}

/** Reads a proof and checks that it shows the header of the block that it names. */
function openProof(bytes: Buffer): OpenProof {
  const cells = readBoc(bytes);
  const { id, proof, signatures } = readBlockProof(cells, cells.root);
  const { root, hash } = openMerkleProof(cells, proof);
  if (!isMasterchain(id)) throw new UnprovenBlock('not a proof of a masterchain block');
  if (!hash.equals(id.rootHash)) throw new UnprovenBlock('the proof has another root hash than its block');
  const info = readBlockInfo(cells, readBlockRoot(cells, root).info);
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno)
    throw new UnprovenBlock(`the proof shows the header of ${shortBlockName(info)}`);
  return { id, info, signatures, block: { cells, cell: root } };
}

function toKeyBlock({ id, block }: OpenProof): KeyBlock {
  return { id: copyBlockId(id), config: { cells: block.cells, cell: configOfKeyBlock(block) } };
}
