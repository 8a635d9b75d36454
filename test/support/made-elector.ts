import { type Builder, beginCell, type Cell, Dictionary, type DictionaryValue } from '@ton/core';
import type { ComplaintStatus, Election, PastElection } from '../../src/chain/contracts/elector.ts';
import type { ElectionRules } from '../../src/chain/tlb/config.ts';
import type { ValidatorSet } from '../../src/chain/tlb/validators.ts';
import { hashOf } from '../db/support/filled-index.ts';

/** Key material of a made validator. */
export const keyOf = (number: number): Buffer => hashOf(`validator key ${number}`);
export const adnlOf = (number: number): Buffer => hashOf(`validator address ${number}`);
/** Without its workchain, which is -1. */
export const holderOf = (number: number): Buffer => hashOf(`stake holder ${number}`);

/** A whole dictionary with values that only are written. */
function dictionary<T>(
  keyBits: number,
  entries: readonly (readonly [key: Buffer | number, value: T])[],
  write: (builder: Builder, value: T) => void,
): (builder: Builder) => void {
  const values: DictionaryValue<T> = {
    serialize: (value, builder) => write(builder, value),
    parse: () => {
      throw new Error('not read');
    },
  };
  const found = Dictionary.empty<bigint, T>(Dictionary.Keys.BigUint(keyBits), values);
  for (const [key, value] of entries)
    found.set(typeof key === 'number' ? BigInt(key) : BigInt(`0x${key.toString('hex')}`), value);
  return (builder) => builder.storeDict(found);
}

/** The data of an elector. */
export function electorData({
  election,
  past = [],
}: {
  election?: Election;
  past?: readonly PastElection[];
}): Cell {
  return beginCell()
    .storeMaybeRef(election && electionCell(election))
    .storeWritable(dictionary(256, [[holderOf(0), 5n]], (builder, coins) => builder.storeCoins(coins)))
    .storeWritable(
      dictionary(
        32,
        past.map((one) => [one.id, one] as const),
        writePast,
      ),
    )
    .storeCoins(1n)
    .storeUint(past.at(-1)?.id ?? 0, 32)
    .storeBuffer(past.at(-1)?.setHash ?? Buffer.alloc(32))
    .endCell();
}

function electionCell(election: Election): Cell {
  const members = election.participants.map((one) => [one.publicKey, one] as const);
  return beginCell()
    .storeUint(election.id, 32)
    .storeUint(election.closeAt, 32)
    .storeCoins(election.minStake)
    .storeCoins(election.totalStake)
    .storeWritable(
      dictionary(256, members, (builder, { stake, maxFactor, holder, adnlAddress }) =>
        builder
          .storeCoins(stake)
          .storeUint(7, 32)
          .storeUint(maxFactor, 32)
          .storeBuffer(holder)
          .storeBuffer(adnlAddress),
      ),
    )
    .storeBit(election.failed)
    .storeBit(election.finished)
    .endCell();
}

function writePast(builder: Builder, { setHash, stakes, totalStake, complaints }: PastElection): void {
  const frozen = stakes.map(({ publicKey, stake }) => [publicKey, stake] as const);
  builder
    .storeUint(9, 32)
    .storeUint(8, 32)
    .storeBuffer(setHash)
    .storeWritable(
      dictionary(256, frozen, (value, stake) =>
        value.storeBuffer(holderOf(1)).storeUint(6, 64).storeCoins(stake).storeBit(false),
      ),
    )
    .storeCoins(totalStake)
    .storeCoins(3n)
    .storeWritable(
      dictionary(
        256,
        complaints.map((one) => [one.hash, one] as const),
        writeStatus,
      ),
    );
}

/** The description of made complaints that have one. */
export const DESCRIPTION = beginCell().storeStringTail('too slow').endCell();

function writeStatus(builder: Builder, status: ComplaintStatus): void {
  const complaint = beginCell()
    .storeUint(0xbc, 8)
    .storeBuffer(status.publicKey)
    .storeRef(status.description === undefined ? beginCell().endCell() : DESCRIPTION)
    .storeUint(status.createdAt, 32)
    .storeUint(status.severity, 8)
    .storeBuffer(status.rewardAddress)
    .storeCoins(status.paid)
    .storeCoins(status.suggestedFine)
    .storeUint(status.suggestedFinePart, 32)
    .endCell();
  builder
    .storeUint(0x2d, 8)
    .storeRef(complaint)
    .storeWritable(
      dictionary(
        16,
        status.voters.map((voter) => [voter, 1] as const),
        (value, time) => value.storeUint(time, 32),
      ),
    )
    .storeBuffer(status.setHash)
    .storeInt(status.weightRemaining, 64);
}

/** A complaint about the validator of a key; parts may be replaced. */
export function complaintOf(number: number, parts: Partial<ComplaintStatus> = {}): ComplaintStatus {
  return {
    hash: hashOf(`complaint ${number}`),
    publicKey: keyOf(number),
    description: DESCRIPTION.toBoc({ idx: false, crc32: true }),
    createdAt: 1_790_076_000 + number,
    severity: 1,
    rewardAddress: hashOf('complainer'),
    paid: 100n,
    suggestedFine: 101n,
    suggestedFinePart: 2 ** 31,
    voters: [],
    setHash: Buffer.alloc(32),
    weightRemaining: 0n,
    ...parts,
  };
}

/** A validator set with the made validators of these numbers, each with a weight that is its number plus 10. */
export function setOf(since: number, numbers: readonly number[]): ValidatorSet {
  const validators = numbers.map((number) => ({
    publicKey: keyOf(number),
    adnlAddress: adnlOf(number),
    weight: BigInt(number + 10),
  }));
  const totalWeight = validators.reduce((sum, { weight }) => sum + weight, 0n);
  return { since, until: since + 1000, main: 1, validators, totalWeight };
}

/** The cell of such a set. */
export function setCell({ since, until, main, validators, totalWeight }: ValidatorSet): Cell {
  return beginCell()
    .storeUint(0x12, 8)
    .storeUint(since, 32)
    .storeUint(until, 32)
    .storeUint(validators.length, 16)
    .storeUint(main, 16)
    .storeUint(totalWeight, 64)
    .storeWritable(
      dictionary(
        16,
        validators.map((one, index) => [index, one] as const),
        (builder, { publicKey, weight, adnlAddress }) =>
          builder
            .storeUint(0x73, 8)
            .storeUint(0x8e81278a, 32)
            .storeBuffer(publicKey)
            .storeUint(weight, 64)
            .storeBuffer(adnlAddress),
      ),
    )
    .endCell();
}

/** Rules of elections. */
export const RULES: ElectionRules = {
  electedFor: 65_536,
  startBefore: 32_768,
  endBefore: 8192,
  stakeHeldFor: 32_768,
  maxValidators: 400,
  maxMainValidators: 100,
  minValidators: 2,
  minStake: 300n,
  maxStake: 10_000n,
  minTotalStake: 600n,
  maxStakeFactor: 196_608,
};

/** The params of a configuration with some validator sets, by number. */
export function configOf(sets: Readonly<Record<number, ValidatorSet>>, rules: ElectionRules = RULES): Buffer {
  const times = [rules.electedFor, rules.startBefore, rules.endBefore, rules.stakeHeldFor];
  const counts = [rules.maxValidators, rules.maxMainValidators, rules.minValidators];
  const param15 = times.reduce((builder, time) => builder.storeUint(time, 32), beginCell());
  const param16 = counts.reduce((builder, count) => builder.storeUint(count, 16), beginCell());
  const param17 = beginCell()
    .storeCoins(rules.minStake)
    .storeCoins(rules.maxStake)
    .storeCoins(rules.minTotalStake)
    .storeUint(rules.maxStakeFactor, 32);
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  params.set(15, param15.endCell()).set(16, param16.endCell()).set(17, param17.endCell());
  for (const [index, set] of Object.entries(sets)) params.set(Number(index), setCell(set));
  return beginCell().storeDictDirect(params).endCell().toBoc();
}

/** The past election of a set, with a stake of 1000 for every validator plus its number. */
export function pastOf(id: number, set: ValidatorSet, parts: Partial<PastElection> = {}): PastElection {
  const stakes = set.validators
    .map(({ publicKey, weight }) => ({ publicKey, stake: 1000n + weight }))
    .sort((a, b) => Buffer.compare(a.publicKey, b.publicKey));
  return {
    id,
    setHash: setCell(set).hash(),
    totalStake: stakes.reduce((sum, { stake }) => sum + stake, 0n),
    stakes,
    complaints: [],
    ...parts,
  };
}

/** An election with the candidates of these numbers. */
export function electionOf(id: number, numbers: readonly number[], parts: Partial<Election> = {}): Election {
  const participants = numbers
    .map((number) => ({
      publicKey: keyOf(number),
      stake: 5000n + BigInt(number),
      maxFactor: 65_536 + number,
      holder: holderOf(number),
      adnlAddress: adnlOf(number),
    }))
    .sort((a, b) => Buffer.compare(a.publicKey, b.publicKey));
  return {
    id,
    closeAt: id - 100,
    minStake: 300n,
    totalStake: participants.reduce((sum, { stake }) => sum + stake, 0n),
    participants,
    failed: false,
    finished: false,
    ...parts,
  };
}
