import { readBoc } from '../../chain/boc/bag.ts';
import { CellError } from '../../chain/boc/cells.ts';
import type { ComplaintStatus, Election, ElectorState, PastElection } from '../../chain/contracts/elector.ts';
import { configParam, type ElectionRules, readElectionRules } from '../../chain/tlb/config.ts';
import { readValidatorSet, type ValidatorSet } from '../../chain/tlb/validators.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

/** What the state after a masterchain block shows about validators. */
export interface ValidatorUpdate {
  readonly mcSeqno: number;
  /** Of the block, in unix seconds. */
  readonly utime: number;
  readonly election: Election | undefined;
  readonly cycles: readonly CycleUpdate[];
  readonly complaints: readonly ComplaintUpdate[];
}

/** What some seqnos show about validators. */
export interface ValidatorUpdates {
  /** In the order of blocks. */
  readonly updates: readonly ValidatorUpdate[];
  /** Seqnos at which the state of the elector is not known. */
  readonly missing: readonly number[];
}

/** A validator set in the configuration, and its election if the elector knows it. */
interface CycleUpdate {
  readonly set: ValidatorSet;
  readonly setHash: Buffer;
  readonly rules: ElectionRules;
  readonly election: PastElection | undefined;
}

interface ComplaintUpdate {
  readonly electionId: number;
  readonly complaint: ComplaintStatus;
}

/** A masterchain block at whose end the elector is read. */
export interface ElectorBlock {
  readonly mcSeqno: number;
  readonly utime: number;
  /** The params of a key block as a bag of cells; undefined for another block. */
  readonly config: Buffer | undefined;
  /** Elections whose complaints may have changed. */
  readonly complaintElections: readonly number[];
}

export function electorBlock({ mcSeqno, genUtime, validators }: DecodedSeqno): ElectorBlock {
  const { config, complaintElections } = validators;
  return { mcSeqno, utime: genUtime, config, complaintElections };
}

/** Reads what a block shows; `state` is that of the elector after the block, undefined if it is unknown. */
export function readValidatorUpdate(block: ElectorBlock, state: ElectorState | undefined): ValidatorUpdate {
  const { mcSeqno, utime, config } = block;
  const past = state?.past ?? [];
  const cycles = config === undefined ? [] : readCycles(config, past);
  const judged = new Set(block.complaintElections);
  for (const { election, param } of cycles)
    if (election !== undefined && param !== NEXT) judged.add(election.id);
  return {
    mcSeqno,
    utime,
    election: state?.election?.id === 0 ? undefined : state?.election,
    cycles,
    complaints: past
      .filter(({ id }) => judged.has(id))
      .flatMap(({ id, complaints }) => complaints.map((complaint) => ({ electionId: id, complaint }))),
  };
}

const [PREVIOUS, CURRENT, NEXT] = [32, 34, 36];

/** Reads the sets of a configuration. One that cannot be read shows none, as that of a network with other rules. */
function readCycles(config: Buffer, past: readonly PastElection[]) {
  const found = new Map<number, CycleUpdate & { readonly param: number }>();
  try {
    const bag = readBoc(config);
    const rules = readElectionRules(bag, bag.root);
    for (const param of [CURRENT, NEXT, PREVIOUS]) {
      const cell = configParam(bag, bag.root, param);
      if (cell < 0) continue;
      const set = readValidatorSet(bag, cell);
      const setHash = Buffer.from(bag.hash(cell, 0));
      const election = past.find((one) => one.setHash.equals(setHash));
      if (!found.has(set.since)) found.set(set.since, { set, setHash, rules, election, param });
    }
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
  }
  return [...found.values()];
}
