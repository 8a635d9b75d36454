import { beginCell, type Cell, Dictionary } from '@ton/core';

/** The data of a nominator pool to build; accounts are 32-byte hashes in hex. */
export interface MadePool {
  readonly state?: number;
  readonly stakeAmountSent?: bigint;
  readonly validatorAmount?: bigint;
  readonly validator?: string;
  readonly share?: number;
  /** Balance and pending deposit. */
  readonly nominators?: Readonly<Record<string, readonly [balance: bigint, pending: bigint]>>;
  readonly requests?: readonly string[];
  readonly stakeAt?: number;
}

const VALIDATOR = '66'.repeat(32);
const NOTHING = beginCell().endCell().bits;

/** Builds the data of a nominator pool. */
export function madePoolData(pool: MadePool): Cell {
  const { nominators = {}, requests = [] } = pool;
  const keys = Dictionary.Keys.Buffer(32);
  const kept = Dictionary.empty(keys, {
    serialize: ([balance, pending]: readonly [bigint, bigint], builder) => {
      builder.storeCoins(balance).storeCoins(pending);
    },
    parse: (): readonly [bigint, bigint] => [0n, 0n],
  });
  for (const [hash, amounts] of Object.entries(nominators)) kept.set(Buffer.from(hash, 'hex'), amounts);
  const wanted = Dictionary.empty(keys, Dictionary.Values.BitString(0));
  for (const hash of requests) wanted.set(Buffer.from(hash, 'hex'), NOTHING);
  const config = beginCell()
    .storeBuffer(Buffer.from(pool.validator ?? VALIDATOR, 'hex'))
    .storeUint(pool.share ?? 4000, 16)
    .storeUint(40, 16)
    .storeCoins(10n ** 13n)
    .storeCoins(10n ** 12n)
    .endCell();
  return beginCell()
    .storeUint(pool.state ?? 0, 8)
    .storeUint(Object.keys(nominators).length, 16)
    .storeCoins(pool.stakeAmountSent ?? 0n)
    .storeCoins(pool.validatorAmount ?? 0n)
    .storeRef(config)
    .storeDict(kept)
    .storeDict(wanted)
    .storeUint(pool.stakeAt ?? 0, 32)
    .storeUint(0, 256)
    .storeUint(0, 8)
    .storeUint(0, 32)
    .storeUint(32768, 32)
    .storeDict(Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell()))
    .endCell();
}
