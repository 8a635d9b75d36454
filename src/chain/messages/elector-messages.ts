import { toAccountBytes } from '../address.ts';
import { MASTERCHAIN } from '../block-id.ts';
import type { Slice } from '../boc/slice.ts';
import { readBehindOpcode } from '../tlb/message.ts';
import { accountKeyOf } from '../tlb/msg-address.ts';
import { hasSucceeded, type Transaction } from '../tlb/transaction.ts';

export const VALIDATOR_EVENT_TYPES = [
  'stake_accepted',
  'stake_rejected',
  'recover_requested',
  'stake_recovered',
  'recover_failed',
] as const;

export type ValidatorEventType = (typeof VALIDATOR_EVENT_TYPES)[number];

export interface ValidatorEvent {
  readonly type: ValidatorEventType;
  /** Who sent or received the stake: 33 bytes. */
  readonly holder: Buffer;
  readonly queryId: bigint;
  /** Nanotons. */
  readonly amount: bigint;
  /** Only of stakes that were accepted or rejected. */
  readonly stake: NewStake | undefined;
  readonly reason: number | undefined;
}

interface NewStake {
  readonly publicKey: Buffer;
  readonly electionId: number;
  readonly adnlAddress: Buffer;
}

const NEW_STAKE = 0x4e73744b;
const STAKE_ACCEPTED = 0xf374484c;
const STAKE_REJECTED = 0xee6f454c;
const RECOVER = 0x47657424;
const RECOVERED = 0xf96f7324;
const RECOVER_FAILED = 0xfffffffe;
const NEW_COMPLAINT = 0x52674370;
const VOTE = 0x56744370;

const TO_ELECTOR: ReadonlySet<number> = new Set([NEW_STAKE, RECOVER]);
const FROM_ELECTOR: ReadonlySet<number> = new Set([RECOVERED, RECOVER_FAILED]);
/** The elector keeps it for its fees. */
const STAKE_FEE = 1_000_000_000n;

/**
 * Reads the event of a stake from a transaction of the elector, or of an account that the elector answered; undefined
 * for all others. `elector` is its account in the masterchain: 32 bytes.
 */
export function readValidatorEvent(transaction: Transaction, elector: Buffer): ValidatorEvent | undefined {
  const { inMessage } = transaction;
  const opcode = inMessage?.opcode;
  if (opcode === undefined || inMessage!.info.kind !== 'internal') return undefined;
  const isToElector = TO_ELECTOR.has(opcode) && isElector(transaction.account, elector);
  if (!isToElector && !FROM_ELECTOR.has(opcode)) return undefined;
  const source = accountKeyOf(inMessage!.info.src);
  if (source === undefined || !hasSucceeded(transaction)) return undefined;
  const amount = inMessage!.info.value.grams;
  return readBehindOpcode(inMessage!, (body) => {
    const queryId = body.uint64();
    if (isToElector && opcode === NEW_STAKE)
      return readNewStake(transaction, body, { queryId, source, amount });
    const common = { queryId, amount, stake: undefined, reason: undefined };
    if (isToElector) return { type: 'recover_requested', holder: source, ...common };
    if (source.readInt8() !== MASTERCHAIN || !source.subarray(1).equals(elector)) return undefined;
    const holder = toAccountBytes(transaction.account);
    return { type: opcode === RECOVERED ? 'stake_recovered' : 'recover_failed', holder, ...common };
  });
}

function isElector({ workchain, hash }: Transaction['account'], elector: Buffer): boolean {
  return workchain === MASTERCHAIN && hash.equals(elector);
}

/** The elector answers only requests with a query id. */
function readNewStake(
  { outMessages }: Transaction,
  body: Slice,
  {
    queryId,
    source: holder,
    amount,
  }: { readonly queryId: bigint; readonly source: Buffer; readonly amount: bigint },
): ValidatorEvent | undefined {
  const publicKey = body.hash();
  const electionId = body.uint(32);
  body.skip(32);
  const stake = { publicKey, electionId, adnlAddress: body.hash() };
  const accepted = {
    type: 'stake_accepted',
    holder,
    queryId,
    amount: amount > STAKE_FEE ? amount - STAKE_FEE : 0n,
    stake,
    reason: undefined,
  } as const;
  for (const message of outMessages) {
    const { opcode, info } = message;
    if (info.kind !== 'internal' || (opcode !== STAKE_ACCEPTED && opcode !== STAKE_REJECTED)) continue;
    if (readBehindOpcode(message, (answer) => answer.uint64()) !== queryId) continue;
    if (opcode === STAKE_ACCEPTED) return accepted;
    const reason = readBehindOpcode(message, (answer) => {
      answer.skip(64);
      return answer.int(32);
    });
    return { ...accepted, type: 'stake_rejected', amount: info.value.grams, reason };
  }
  return queryId === 0n ? accepted : undefined;
}

/** The election that a message to the elector complains about, or votes on a complaint of; undefined for other messages. */
export function readComplaintElection(transaction: Transaction, elector: Buffer): number | undefined {
  const { inMessage, account } = transaction;
  const opcode = inMessage?.opcode;
  if ((opcode !== NEW_COMPLAINT && opcode !== VOTE) || !isElector(account, elector)) return undefined;
  return readBehindOpcode(inMessage!, (body) => {
    body.skip(64);
    // A signature, a tag, and the place of the voter.
    if (opcode === VOTE) body.skip(512 + 32 + 16);
    return body.uint(32);
  });
}
