import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import { type BlockId, MASTERCHAIN } from '../../../src/chain/block-id.ts';
import type { Validator } from '../../../src/chain/tlb/validator-set.ts';

/** What a masterchain block of a test says about itself; everything else in it is empty. */
export interface HeaderFields {
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

/** A masterchain block with a true header and, in a key block, a configuration. */
export function blockCell(fields: HeaderFields): Cell {
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
export function zeroStateCell(config: Cell): Cell {
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
export function configCell(validators: readonly Validator[], shuffle: boolean): Cell {
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
    throw new Error('validators of a test are only written');
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
