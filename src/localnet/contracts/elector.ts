import { type Address, beginCell, type Cell, Dictionary, type DictionaryValue, type Slice } from '@ton/core';
import { type SigningKey, signWithSeed } from '../../lib/ed25519.ts';
import { beginBody } from './contract.ts';

const NEW_STAKE = 0x4e73744b;
const SIGNED_STAKE = 0x654c5074;
const RECOVER_STAKE = 0x47657424;
const FILE_COMPLAINT = 0x52674370;
const VOTE_FOR_COMPLAINT = 0x56744370;
const SIGNED_VOTE = 0x56744350;
const COMPLAINT = 0xbc;
const COMPLAINT_STATUS = 0x2d;

/** 65536 is 1. */
const MAX_STAKE_FACTOR = 3 * 65_536;

/** A stake for an election. */
export interface Stake {
  /** Without one the elector does not confirm. */
  readonly queryId: bigint;
  readonly electionId: number;
  /** Key of the validator. */
  readonly key: SigningKey;
  /** Account of the masterchain that sends the stake and gets it back. */
  readonly holder: Address;
  readonly adnlAddress: Buffer;
  readonly maxFactor?: number;
}

/** Stakes the value of the message, less 1 TON for the confirmation. */
export function newStake(stake: Stake): Cell {
  const { electionId, key, holder, adnlAddress, maxFactor = MAX_STAKE_FACTOR } = stake;
  const signed = beginCell().storeUint(SIGNED_STAKE, 32).storeUint(electionId, 32).storeUint(maxFactor, 32);
  signed.storeBuffer(holder.hash, 32).storeBuffer(adnlAddress, 32);
  // The elector checks the bits of the signed text, not a hash.
  const signature = signWithSeed(key.seed, bitsOf(signed.endCell()));
  return beginBody(NEW_STAKE, stake.queryId)
    .storeBuffer(key.publicKey, 32)
    .storeUint(electionId, 32)
    .storeUint(maxFactor, 32)
    .storeBuffer(adnlAddress, 32)
    .storeRef(beginCell().storeBuffer(signature).endCell())
    .endCell();
}

/** Asks for everything that the elector owes the sender. */
export function recoverStake(queryId: bigint): Cell {
  return beginBody(RECOVER_STAKE, queryId).endCell();
}

/** A complaint about a validator of a past election. */
interface Complaint {
  readonly queryId: bigint;
  readonly electionId: number;
  /** Of the accused. */
  readonly publicKey: Buffer;
  readonly description: Cell;
  readonly severity: number;
  /** Nanotons. */
  readonly suggestedFine: bigint;
  /** Share of the stake, in 1/2^32. */
  readonly suggestedFinePart?: number;
}

/** Files a complaint; the value of the message has to cover its price. The elector fills in what it knows itself. */
export function fileComplaint(options: Complaint): Cell {
  const complaint = beginCell()
    .storeUint(COMPLAINT, 8)
    .storeBuffer(options.publicKey, 32)
    .storeRef(options.description)
    // When it was filed.
    .storeUint(0, 32)
    .storeUint(options.severity, 8)
    // Who filed it, and for how much.
    .storeUint(0, 256)
    .storeCoins(0)
    .storeCoins(options.suggestedFine)
    .storeUint(options.suggestedFinePart ?? 0, 32)
    .endCell();
  return beginBody(FILE_COMPLAINT, options.queryId)
    .storeUint(options.electionId, 32)
    .storeRef(complaint)
    .endCell();
}

/** A vote of a validator of the current set for a complaint. Anybody may send it. */
interface Vote {
  readonly queryId: bigint;
  readonly electionId: number;
  readonly complaintHash: Buffer;
  /** Place of the validator in the set. */
  readonly index: number;
  readonly key: SigningKey;
}

export function voteForComplaint({ queryId, electionId, complaintHash, index, key }: Vote): Cell {
  const signed = beginCell().storeUint(SIGNED_VOTE, 32).storeUint(index, 16).storeUint(electionId, 32);
  const text = signed.storeBuffer(complaintHash, 32).endCell();
  return beginBody(VOTE_FOR_COMPLAINT, queryId)
    .storeBuffer(signWithSeed(key.seed, bitsOf(text)))
    .storeSlice(text.asSlice())
    .endCell();
}

function bitsOf(cell: Cell): Buffer {
  return cell.bits.subbuffer(0, cell.bits.length)!;
}

/** Reads the data of the elector, as far as local programs need it. */
export function readElectorData(data: Cell) {
  const slice = data.beginParse();
  const election = slice.loadMaybeRef();
  const credits = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.BigVarUint(4));
  const past = slice.loadDict(Dictionary.Keys.Uint(32), readAs(readPastElection));
  slice.loadCoins();
  return {
    /** The election that stakes are taken for. */
    election: election === null ? undefined : readElection(election.beginParse()),
    /** Nanotons owed, by account hash in hex. */
    credits: new Map([...credits].map(([account, amount]) => [account.toString('hex'), amount])),
    /** Ascending by id. */
    pastElections: [...past].map(([id, one]) => ({ id, ...one })).sort((a, b) => a.id - b.id),
    /** Id of the election of the current set, 0 if it was not elected. */
    activeId: slice.loadUint(32),
  };
}

function readElection(slice: Slice) {
  const [id, closes] = [slice.loadUint(32), slice.loadUint(32)];
  slice.loadCoins();
  slice.loadCoins();
  slice.loadMaybeRef();
  slice.loadBit();
  return { id, closes, isFinished: slice.loadBit() };
}

function readPastElection(slice: Slice) {
  /** Unix seconds. */
  const unfreezeAt = slice.loadUint(32);
  slice.loadUint(32);
  const setHash = slice.loadBuffer(32);
  const frozen = slice.loadDict(
    Dictionary.Keys.Buffer(32),
    readAs(() => true),
  );
  slice.loadCoins();
  slice.loadCoins();
  const complaints = slice.loadDict(Dictionary.Keys.Buffer(32), readAs(readAccused));
  return {
    unfreezeAt,
    setHash,
    /** Public keys of its validators. */
    publicKeys: frozen.keys(),
    /** Ascending by hash. */
    complaints: [...complaints]
      .map(([hash, publicKey]) => ({ hash, publicKey }))
      .sort((a, b) => a.hash.compare(b.hash)),
  };
}

/** The public key of the accused. */
function readAccused(slice: Slice): Buffer {
  if (slice.loadUint(8) !== COMPLAINT_STATUS) throw new Error('complaint of an unknown form');
  return slice.loadRef().beginParse().skip(8).loadBuffer(32);
}

function readAs<Value>(parse: (slice: Slice) => Value): DictionaryValue<Value> {
  return { serialize: () => {}, parse };
}
