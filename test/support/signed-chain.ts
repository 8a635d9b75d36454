import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { type Builder, beginCell, type Cell, convertToMerkleProof, Dictionary } from '@ton/core';
import { adnlShortId } from '../../src/chain/adnl/keys.ts';
import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { type SignatureSet, signedData } from '../../src/chain/tl/signatures.ts';
import { masterchainValidators, type Validator, validatorSetHash } from '../../src/chain/tlb/validators.ts';
import type { PartialBlockProof } from '../../src/lite/methods/block-proofs.ts';
import type { BlockLinkForward } from '../../src/lite/methods/codec.ts';

/** A validator with its signing key. */
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
interface ChainOptions {
  readonly form: SignatureSet['kind'];
  readonly shuffle?: boolean;
  /** Maximum number of links in one response. */
  readonly maxLinks?: number;
}

/** A masterchain of headers with changing validators: enough to prove its head from its zero state. */
export interface SignedChain {
  readonly zeroState: BlockId;
  readonly head: BlockId;
  /** The block with a seqno; the head if it does not exist yet. */
  block(seqno: number): BlockId;
  /** Adds a block; new validators make it a key block and sign from the next block on. */
  addBlock(change?: { validators: readonly TestValidator[] }): BlockId;
  /** The response of an honest server to `getBlockProof`. */
  proof(known: BlockId, target: BlockId): PartialBlockProof;
}

const ED25519_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A validator whose key is derived from its name. */
export function testValidator(name: string, weight: bigint): TestValidator {
  const seed = hash('sha256', name, 'buffer');
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PRIVATE, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key, publicKey, weight, adnlAddress: Buffer.alloc(32, weight.toString(16)) };
}

/** Starts a chain with its first validators. */
export function createSignedChain(first: readonly TestValidator[], options: ChainOptions): SignedChain {
  const { form, shuffle = false, maxLinks = 16 } = options;
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
      while (!sameBlock(at.id, target) && steps.length < maxLinks) {
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

/** Signs a block with all its validators. */
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

/** The header fields of a masterchain block; everything else in it is empty. */
interface HeaderFields {
  readonly seqno: number;
  readonly prev: BlockId;
  readonly prevKeyBlockSeqno: number;
  readonly utime: number;
  readonly validatorListHash: number;
  readonly catchainSeqno: number;
  /** The configuration of a key block. */
  readonly config?: Cell | undefined;
}

const GLOBAL_ID = -777;
const empty = beginCell().endCell();

/** A masterchain block with a valid header and, in a key block, a configuration. */
function blockCell(fields: HeaderFields): Cell {
  return beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(GLOBAL_ID, 32)
    .storeRef(infoCell(fields))
    .storeRef(empty)
    .storeRef(empty)
    .storeRef(extraCell(fields.config))
    .endCell();
}

function infoCell(fields: HeaderFields): Cell {
  const { seqno, prev } = fields;
  const lt = BigInt(seqno) * 1_000_000n;
  const prevRef = beginCell()
    .storeUint(lt - 999_000n, 64)
    .storeUint(prev.seqno, 32)
    .storeBuffer(prev.rootHash)
    .storeBuffer(prev.fileHash)
    .endCell();
  return beginCell()
    .storeUint(0x9bc7a987, 32)
    .storeUint(0, 32)
    .storeUint(0, 6)
    .storeBit(fields.config !== undefined)
    .storeBit(false)
    .storeUint(0, 8)
    .storeUint(seqno, 32)
    .storeUint(0, 32)
    .store(storeMasterchain)
    .storeUint(fields.utime, 32)
    .storeUint(lt, 64)
    .storeUint(lt + 4n, 64)
    .storeUint(fields.validatorListHash, 32)
    .storeUint(fields.catchainSeqno, 32)
    .storeUint(seqno, 32)
    .storeUint(fields.prevKeyBlockSeqno, 32)
    .storeRef(prevRef)
    .endCell();
}

function extraCell(config: Cell | undefined): Cell {
  const custom = beginCell()
    .storeUint(0xcca5, 16)
    .storeBit(config !== undefined)
    .storeBit(false)
    .storeBit(false)
    .store(storeNothing)
    .store(storeNothing)
    .storeRef(beginCell().storeUint(0, 3).endCell());
  if (config !== undefined) custom.store(storeConfig(config));
  return beginCell()
    .storeUint(0x4a33f6fd, 32)
    .storeRef(empty)
    .storeRef(empty)
    .storeRef(empty)
    .storeUint(0, 256)
    .storeUint(0, 256)
    .storeMaybeRef(custom.endCell())
    .endCell();
}

/** A masterchain zero state that has a configuration and nothing else. */
function zeroStateCell(config: Cell): Cell {
  const custom = beginCell()
    .storeUint(0xcc26, 16)
    .storeBit(false)
    .store(storeConfig(config))
    .storeRef(empty)
    .store(storeNothing)
    .endCell();
  return beginCell()
    .storeUint(0x9023afe2, 32)
    .storeInt(GLOBAL_ID, 32)
    .store(storeMasterchain)
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeUint(1_700_000_000, 32)
    .storeUint(0, 64)
    .storeUint(0xffffffff, 32)
    .storeRef(empty)
    .storeBit(false)
    .storeRef(empty)
    .storeRef(empty)
    .storeMaybeRef(custom)
    .endCell();
}

/** A configuration with the validators (34) and how masterchain validators are ordered (28). */
function configCell(validators: readonly Validator[], shuffle: boolean): Cell {
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  params.set(
    28,
    beginCell()
      .storeUint(0xc2, 8)
      .storeUint(0, 7)
      .storeBit(shuffle)
      .storeUint(250, 32)
      .storeUint(250, 32)
      .storeUint(1000, 32)
      .storeUint(7, 32)
      .endCell(),
  );
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), validatorValue);
  validators.forEach((validator, index) => {
    list.set(index, validator);
  });
  const totalWeight = validators.reduce((sum, { weight }) => sum + weight, 0n);
  params.set(
    34,
    beginCell()
      .storeUint(0x12, 8)
      .storeUint(1_700_000_000, 32)
      .storeUint(1_800_000_000, 32)
      .storeUint(validators.length, 16)
      .storeUint(validators.length, 16)
      .storeUint(totalWeight, 64)
      .storeDict(list)
      .endCell(),
  );
  return beginCell().storeDictDirect(params).endCell();
}

const validatorValue = {
  serialize(validator: Validator, builder: Builder) {
    builder
      .storeUint(0x73, 8)
      .storeUint(0x8e81278a, 32)
      .storeBuffer(validator.publicKey)
      .storeUint(validator.weight, 64)
      .storeBuffer(validator.adnlAddress);
  },
  parse(): Validator {
    throw new Error('Write-only');
  },
};

const storeConfig = (config: Cell) => (builder: Builder) => {
  builder.storeBuffer(Buffer.alloc(32, 0x55)).storeRef(config);
};

/** shard_ident$00 of the whole masterchain. */
function storeMasterchain(builder: Builder): void {
  builder.storeUint(0, 2).storeUint(0, 6).storeInt(MASTERCHAIN, 32).storeUint(0, 64);
}

/** An empty CurrencyCollection. */
function storeNothing(builder: Builder): void {
  builder.storeCoins(0).storeBit(false);
}
