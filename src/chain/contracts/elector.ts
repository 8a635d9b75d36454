import { accountKey } from '../address.ts';
import { MASTERCHAIN } from '../block-id.ts';
import { readBoc } from '../boc/bag.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { readDictionary } from '../tlb/dictionary.ts';

// The storage of the elector. Its get-methods return the same, but `list_complaints` costs more gas than anybody grants.
//
// _ elect:(Maybe ^Elect) credits:(HashmapE 256 Grams) past_elections:(HashmapE 32 PastElection) grams:Grams
//   active_id:uint32 active_hash:bits256 = ElectorData;

/** The elector of the public networks. */
export const ELECTOR = accountKey(MASTERCHAIN, Buffer.alloc(32, 0x33));

export type ElectorState = NonNullable<ReturnType<typeof readElectorState>>;

/** Reads the data of an elector; undefined if it is not laid out like that of the public networks. */
export function readElectorState(boc: Buffer) {
  return undefinedOnCellError(() => {
    const bag = readBoc(boc);
    const slice = new Slice(bag, bag.root);
    const elect = slice.maybeRef();
    slice.maybeRef();
    const past = slice.maybeRef();
    // The rest shows whether this is an elector.
    slice.coins();
    slice.skip(32 + 256);
    slice.end();
    return {
      /** The election that is open, or whose validator set is not in the configuration yet. */
      election: elect < 0 ? undefined : readElection(bag, elect),
      /** Those whose stakes are not unfrozen yet, the oldest first. */
      past: readDictionary(bag, past, ELECTION_ID_BITS, readPastElection),
    };
  });
}

const ELECTION_ID_BITS = 32;
const KEY_BITS = 256;
const VOTER_BITS = 16;

// _ elect_at:uint32 elect_close:uint32 min_stake:Grams total_stake:Grams members:(HashmapE 256 Participant)
//   failed:Bool finished:Bool = Elect;

/** An election. Stakes are in nanotons, times in unix seconds. */
export type Election = Readonly<ReturnType<typeof readElection>>;

function readElection(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  return {
    /** When the elected set starts; identifies the election. */
    id: slice.uint(32),
    closeAt: slice.uint(32),
    minStake: slice.coins(),
    totalStake: slice.coins(),
    participants: readDictionary(cells, slice.maybeRef(), KEY_BITS, readParticipant),
    failed: slice.boolean(),
    finished: slice.boolean(),
  };
}

// _ stake:Grams time:uint32 max_factor:uint32 src_addr:bits256 adnl_addr:bits256 = Participant;

function readParticipant(publicKey: Buffer, value: Slice) {
  const stake = value.coins();
  value.skip(32);
  return {
    publicKey,
    stake,
    /** 65536 is 1. */
    maxFactor: value.uint(32),
    /** The account of the masterchain that staked: 32 bytes. */
    holder: value.hash(),
    adnlAddress: value.hash(),
  };
}

// _ unfreeze_at:uint32 stake_held:uint32 vset_hash:bits256 frozen:(HashmapE 256 FrozenStake) total_stake:Grams
//   bonuses:Grams complaints:(HashmapE 256 ComplaintStatus) = PastElection;
// _ src_addr:bits256 weight:uint64 true_stake:Grams banned:Bool = FrozenStake;

/** An election whose validator set was made. */
export type PastElection = Readonly<ReturnType<typeof readPastElection>>;

function readPastElection(key: Buffer, value: Slice) {
  const { cells } = value;
  value.skip(32 + 32);
  const setHash = value.hash();
  const frozen = value.maybeRef();
  const totalStake = value.coins();
  value.coins();
  const complaints = value.maybeRef();
  return {
    id: key.readUInt32BE(),
    /** Hash of the cell of the set, which config params 32 to 36 have. */
    setHash,
    /** Fines lower it, as they do stakes. */
    totalStake,
    /** The stake of each elected validator, by its public key. */
    stakes: readDictionary(cells, frozen, KEY_BITS, (publicKey, stake) => {
      stake.skip(256 + 64);
      return { publicKey, stake: stake.coins() };
    }),
    complaints: readDictionary(cells, complaints, KEY_BITS, readComplaintStatus),
  };
}

// complaint_status#2d complaint:^Complaint voters:(HashmapE 16 uint32) vset_id:bits256 weight_remaining:int64
//   = ComplaintStatus;
// complaint#bc validator_pubkey:bits256 description:^Cell created_at:uint32 severity:uint8 reward_addr:bits256
//   paid:Grams suggested_fine:Grams suggested_fine_part:uint32 = Complaint;

/** A complaint about an elected validator, and the votes for it. */
export type ComplaintStatus = Readonly<ReturnType<typeof readComplaintStatus>>;

const STATUS_TAG = 0x2d;
const COMPLAINT_TAG = 0xbc;

function readComplaintStatus(hash: Buffer, value: Slice) {
  if (value.uint(8) !== STATUS_TAG) throw new CellError('unknown tag of a complaint status');
  const { cells } = value;
  const complaint = value.refSlice();
  const voters = value.maybeRef();
  const [setHash, weightRemaining] = [value.hash(), value.int64()];
  if (complaint.uint(8) !== COMPLAINT_TAG) throw new CellError('unknown tag of a complaint');
  return {
    hash,
    publicKey: complaint.hash(),
    /** A bag of cells with a checksum; undefined for an empty cell. */
    description: bagOf(cells, complaint.ref()),
    createdAt: complaint.uint(32),
    severity: complaint.uint(8),
    /** An account of the masterchain: 32 bytes. */
    rewardAddress: complaint.hash(),
    paid: complaint.coins(),
    suggestedFine: complaint.coins(),
    /** In 1/2^32 of the stake. */
    suggestedFinePart: complaint.uint(32),
    /** Their places in the voting set, ascending. */
    voters: readDictionary(cells, voters, VOTER_BITS, (key) => key.readUInt16BE()),
    /** Hash of the set that votes; zeros as long as nobody has voted. */
    setHash,
    /** Negative once the complaint has passed. */
    weightRemaining,
  };
}

function bagOf(cells: Cells, cell: number): Buffer | undefined {
  // Anybody may complain with any cell, so it is not opened.
  if (cells.bits[cell] === 0 && cells.refCount(cell) === 0) return undefined;
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib' });
}
