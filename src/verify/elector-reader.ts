import { type Cell, Dictionary, type Slice } from '@ton/core';
import { accountBytes, bytesOf, entries, MASTERCHAIN, readBytes } from './core-readers.ts';
import type { Row } from './differences.ts';

/** Rows that the state of an elector shows. */
export interface ElectorRows {
  readonly election: { readonly row: Row; readonly participants: readonly Row[] } | undefined;
  readonly past: readonly PastRows[];
}

interface PastRows {
  readonly id: number;
  readonly setHash: Buffer;
  readonly totalStake: bigint;
  /** By public key in hex. */
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly complaints: readonly Row[];
}

/** Reads the data of an elector; undefined if they are laid out in another way. */
export function readElectorRows(data: Cell): ElectorRows | undefined {
  try {
    const slice = data.beginParse();
    const elect = slice.loadMaybeRef();
    slice.loadMaybeRef();
    const past = entries(slice.loadMaybeRef(), 32, readPast);
    slice.loadCoins();
    slice.skip(32 + 256);
    slice.endParse();
    return {
      election: elect === null ? undefined : readElection(elect.beginParse()),
      past: past.map(([id, one]) => ({ id: Number(id), ...one })),
    };
  } catch {
    return undefined;
  }
}

function readElection(slice: Slice): ElectorRows['election'] {
  const election_id = slice.loadUint(32);
  const head = {
    elect_close: slice.loadUint(32),
    min_stake: slice.loadCoins(),
    total_stake: slice.loadCoins(),
  };
  const members = entries(slice.loadMaybeRef(), 256, (member) => {
    const stake = member.loadCoins();
    member.skip(32);
    return {
      stake,
      max_factor: member.loadUint(32),
      holder: accountBytes(MASTERCHAIN, readBytes(member)),
      adnl: readBytes(member),
    };
  });
  const [failed, finished] = [slice.loadBit(), slice.loadBit()];
  if (election_id === 0) return undefined;
  return {
    row: { election_id, ...head, failed, finished },
    participants: members.map(([key, member]) => ({ election_id, pubkey: bytesOf(key), ...member })),
  };
}

function readPast(slice: Slice): Omit<PastRows, 'id'> {
  slice.skip(32 + 32);
  const setHash = readBytes(slice);
  const frozen = entries(slice.loadMaybeRef(), 256, (stake) => {
    stake.skip(256 + 64);
    return stake.loadCoins();
  });
  const totalStake = slice.loadCoins();
  slice.loadCoins();
  const complaints = entries(slice.loadMaybeRef(), 256, readComplaint);
  return {
    setHash,
    totalStake,
    stakes: new Map(frozen.map(([key, stake]) => [bytesOf(key).toString('hex'), stake])),
    complaints: complaints.map(([key, complaint]) => ({ hash: bytesOf(key), ...complaint })),
  };
}

function readComplaint(status: Slice): Row {
  status.skip(8);
  const slice = status.loadRef().beginParse();
  const voters = entries(status.loadMaybeRef(), 16, () => true).map(([index]) => Number(index));
  slice.skip(8);
  const pubkey = readBytes(slice);
  slice.loadRef();
  return {
    pubkey,
    created_at: slice.loadUint(32),
    severity: slice.loadUint(8),
    reward: accountBytes(MASTERCHAIN, readBytes(slice)),
    paid: slice.loadCoins(),
    suggested_fine: slice.loadCoins(),
    suggested_fine_part: slice.loadUint(32),
    voters: voters.sort((a, b) => a - b),
    set_hash: readBytes(status),
    weight_remaining: status.loadIntBig(64),
  };
}

/** A validator set in a configuration. */
export interface SetRows {
  readonly param: number;
  readonly row: Row & { readonly cycle_start: number; readonly set_hash: Buffer };
  readonly members: readonly (Row & { readonly pubkey: Buffer })[];
}

/** Reads the validator sets of a configuration: the current, the next and the previous one. */
export function readSetRows(config: Cell): SetRows[] {
  const params = Dictionary.loadDirect(
    Dictionary.Keys.Int(32),
    Dictionary.Values.Cell(),
    config.beginParse(),
  );
  const found = new Map<number, SetRows>();
  for (const param of [34, 36, 32]) {
    const cell = params.get(param);
    const set = cell && readSet(cell);
    if (set !== undefined && !found.has(set.row.cycle_start))
      found.set(set.row.cycle_start, { param, ...set });
  }
  return [...found.values()];
}

function readSet(cell: Cell): Omit<SetRows, 'param'> {
  const slice = cell.beginParse();
  const hasWeight = slice.loadUint(8) === 0x12;
  const times = { cycle_start: slice.loadUint(32), cycle_end: slice.loadUint(32) };
  const counts = { total: slice.loadUint(16), main: slice.loadUint(16) };
  if (hasWeight) slice.skip(64 + 1);
  const list = hasWeight ? slice.loadRef() : slice;
  const members = entries(list, 16, (value) => {
    const hasAddress = value.loadUint(8) === 0x73;
    value.skip(32);
    const [pubkey, weight] = [readBytes(value), value.loadUintBig(64)];
    return { pubkey, weight, adnl: hasAddress ? readBytes(value) : Buffer.alloc(32) };
  });
  const total_weight = members.reduce((sum, [, { weight }]) => sum + weight, 0n);
  return {
    row: { ...times, ...counts, total_weight, set_hash: cell.hash() },
    members: members.map(([index, member]) => ({ index: Number(index), ...member })),
  };
}
