import type { Cell } from '@ton/core';
import { toCoreCell } from '../../chain/boc/core-cell.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ValidatorSet } from '../../chain/tlb/validator-set.ts';
import { buildValidatorSet } from '../../chain/tlb-write/validator-set.ts';

/** The time of a local chain is moved at will, so its validators stay until they are replaced. */
const FOREVER = 0xffffffff;
const NO_ADNL_ADDRESS = Buffer.alloc(32);

/** A set of one validator. */
export function soleValidatorSet(publicKey: Buffer, since: number): ValidatorSet {
  const validator = { publicKey, weight: 1n, adnlAddress: NO_ADNL_ADDRESS };
  return { since, until: FOREVER, main: 1, validators: [validator], totalWeight: 1n };
}

/** The value of parameter 34 that makes the owner of a key the only validator. */
export function validatorSetParam(publicKey: Buffer, since: number): Cell {
  const arena = new BuildingArena();
  return toCoreCell(arena, buildValidatorSet(arena, soleValidatorSet(publicKey, since)));
}
