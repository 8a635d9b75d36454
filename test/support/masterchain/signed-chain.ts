import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { type Cell, convertToMerkleProof } from '@ton/core';
import { adnlShortId } from '../../../src/chain/adnl/keys.ts';
import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import type { BlockLinkForward, PartialBlockProof } from '../../../src/chain/tl/block-proofs.ts';
import type { SignatureSet } from '../../../src/chain/tl/signature-sets.ts';
import { signedData } from '../../../src/chain/tl/signed-data.ts';
import type { Validator } from '../../../src/chain/tlb/validator-set.ts';
import { validatorSetHash } from '../../../src/chain/tlb/validator-set-hash.ts';
import { masterchainValidators } from '../../../src/chain/tlb/validator-subset.ts';
import { blockCell, configCell, zeroStateCell } from './header-cells.ts';

/** A validator of a test, with the key it signs with. */
export interface TestValidator extends Validator {
  readonly key: KeyObject;
}

interface Block {
  readonly id: BlockId;
  readonly cell: Cell;
  readonly keyBlock: boolean;
  readonly prevKey: BlockId;
  readonly signatures: SignatureSet | undefined;
}

/** How the blocks of a chain are signed. */
export interface ChainOptions {
  readonly form: SignatureSet['kind'];
  readonly shuffle?: boolean;
  /** At most so many links in one answer. */
  readonly linksPerAnswer?: number;
}

/** A masterchain of headers, signed by validators that change: enough to prove its head from its zero state. */
export interface SignedChain {
  readonly zeroState: BlockId;
  readonly head: BlockId;
  /** The block with a number; the head for a number that does not exist yet. */
  block(seqno: number): BlockId;
  /** Adds a block; given validators make it a key block, and sign from the next block on. */
  addBlock(change?: { validators: readonly TestValidator[] }): BlockId;
  /** What an honest server answers to `getBlockProof`. */
  proof(known: BlockId, target: BlockId): PartialBlockProof;
}

const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A validator whose key grows from its name. */
export function testValidator(name: string, weight: bigint): TestValidator {
  const seed = hash('sha256', name, 'buffer');
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key, publicKey, weight, adnlAddress: Buffer.alloc(32, weight.toString(16)) };
}

/** Starts a chain with its first validators. */
export function createSignedChain(first: readonly TestValidator[], options: ChainOptions): SignedChain {
  const { form, shuffle = false, linksPerAnswer = 16 } = options;
  const zeroCell = zeroStateCell(configCell(first, shuffle));
  const zeroState = idOf(0, zeroCell);
  const blocks: Block[] = [
    { id: zeroState, cell: zeroCell, keyBlock: true, prevKey: zeroState, signatures: undefined },
  ];
  let validators = first;
  let catchainSeqno = 0;

  function signersNow(): TestValidator[] {
    const set = { since: 0, until: 0, main: validators.length, validators, totalWeight: 0n };
    return masterchainValidators(set, { shuffleMcValidators: shuffle }, catchainSeqno) as TestValidator[];
  }

  function addBlock(change?: { validators: readonly TestValidator[] }): BlockId {
    const last = blocks.at(-1)!;
    const prevKey = last.keyBlock ? last.id : last.prevKey;
    const signers = signersNow();
    const validatorListHash = validatorSetHash(signers, catchainSeqno);
    const cell = blockCell({
      seqno: blocks.length,
      prev: last.id,
      prevKeyBlockSeqno: prevKey.seqno,
      utime: 1_700_000_000 + blocks.length,
      validatorListHash,
      catchainSeqno,
      config: change && configCell(change.validators, shuffle),
    });
    const id = idOf(blocks.length, cell);
    const signatures = signBlock(form, id, signers, catchainSeqno, validatorListHash);
    blocks.push({ id, cell, keyBlock: change !== undefined, prevKey, signatures });
    if (change !== undefined) {
      validators = change.validators;
      catchainSeqno++;
    }
    return id;
  }

  function linkTo(block: Block, from: Block): BlockLinkForward {
    return {
      kind: 'forward',
      toKeyBlock: block.keyBlock,
      from: from.id,
      to: block.id,
      destProof: convertToMerkleProof(block.cell).toBoc(),
      configProof: convertToMerkleProof(from.cell).toBoc(),
      signatures: block.signatures!,
    };
  }

  return {
    zeroState,
    get head() {
      return blocks.at(-1)!.id;
    },
    block: (seqno) => (blocks[seqno] ?? blocks.at(-1)!).id,
    addBlock,
    proof(known, target) {
      const steps: BlockLinkForward[] = [];
      let at = blocks[known.seqno]!;
      while (!sameBlock(at.id, target) && steps.length < linksPerAnswer) {
        const start = at;
        at = blocks.find(
          ({ id, keyBlock }) => id.seqno > start.id.seqno && (keyBlock || sameBlock(id, target)),
        )!;
        steps.push(linkTo(at, start));
      }
      return { complete: sameBlock(at.id, target), from: known, to: at.id, steps };
    },
  };
}

function idOf(seqno: number, cell: Cell): BlockId {
  const fileHash = hash('sha256', cell.toBoc(), 'buffer');
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash: cell.hash(), fileHash };
}

/** Signs a block by all its validators. */
export function signBlock(
  form: SignatureSet['kind'],
  id: BlockId,
  signers: readonly TestValidator[],
  catchainSeqno: number,
  validatorSetHash: number,
): SignatureSet {
  const set: SignatureSet =
    form === 'ordinary'
      ? { kind: form, validatorSetHash, catchainSeqno, signatures: [] }
      : {
          kind: form,
          catchainSeqno,
          validatorSetHash,
          signatures: [],
          sessionId: hash('sha256', `session ${catchainSeqno}`, 'buffer'),
          slot: id.seqno + 3,
          candidate: candidateOf(id),
        };
  const data = signedData(set, id);
  return {
    ...set,
    signatures: signers.map(({ publicKey, key }) => ({
      nodeIdShort: adnlShortId(publicKey),
      signature: sign(null, data, key),
    })),
  };
}

/** consensus.candidateHashDataOrdinary of a block without a parent. */
function candidateOf(id: BlockId): Buffer {
  const place = Buffer.alloc(16);
  place.writeInt32LE(id.workchain, 0);
  place.writeBigInt64LE(id.shard, 4);
  place.writeInt32LE(id.seqno, 12);
  const kind = Buffer.from('dcbcf9e8', 'hex');
  const withoutParents = Buffer.from('a9cccb22', 'hex');
  return Buffer.concat([kind, place, id.rootHash, id.fileHash, Buffer.alloc(32, 7), withoutParents]);
}
