import type { BlockId } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readMessage, readMessageInfo } from '../../chain/tlb/message.ts';
import { type AddrStd, accountOf } from '../../chain/tlb/msg-address.ts';
import { VmCrash, VmRefusal, VmRunTooLong } from '../../vm/errors.ts';
import type { TransactionOutcome } from '../../vm/runs.ts';
import type { AccountPrefix } from '../store/block-index.ts';
import type { BlockDraft } from './block-draft.ts';
import { placeOf } from './routing.ts';
import { importBoc, type TransactionTask } from './transactions.ts';

export interface External {
  readonly id: string;
  /** The BoC as received. */
  readonly body: Buffer;
}

type Verdict =
  | { readonly outcome: 'included' }
  | { readonly outcome: 'rejected'; readonly text: string; readonly exitCode?: number | undefined }
  /** There was no room left for it. */
  | { readonly outcome: 'postponed' };

export type ExternalOutcome = { readonly id: string } & (
  | Exclude<Verdict, { outcome: 'included' }>
  | { readonly outcome: 'included'; readonly block: BlockId }
);

export interface ValidExternal extends External {
  readonly dest: AddrStd;
  readonly place: AccountPrefix;
}

/** Messages that are run ahead together. */
const BATCH = 32;
const POSTPONED: Verdict = { outcome: 'postponed' };

/** Parses an external message; returns the reason if it is invalid. */
export function checkExternal(external: External): ValidExternal | string {
  try {
    const bag = readBoc(external.body);
    if (bag.levelMask(bag.root) !== 0) return 'external message must have zero level';
    const info = readMessageInfo(new Slice(bag, bag.root));
    if (info.kind !== 'external-in') return 'external message must begin with ext_in_msg_info$10';
    readMessage(bag, bag.root);
    if (info.dest.kind !== 'std')
      return 'destination of an inbound external message is an invalid blockchain address';
    return { ...external, dest: info.dest, place: placeOf(info.dest) };
  } catch (error) {
    return `external message is not a (Message Any): ${error instanceof Error ? error.message : error}`;
  }
}

/** Delivers external messages while there is room. */
export async function processExternals(draft: BlockDraft, externals: readonly ValidExternal[]) {
  const processed: { readonly external: ValidExternal; readonly verdict: Verdict }[] = [];
  for (let from = 0; from < externals.length; from += BATCH) {
    const batch = externals
      .slice(from, from + BATCH)
      .map((external) => ({ external, task: taskOf(draft, external) }));
    if (draft.load.fitsExternal) await draft.maker.prepare(batch.map(({ task }) => task));
    for (const { external, task } of batch) {
      const { fitsExternal } = draft.load;
      processed.push({ external, verdict: fitsExternal ? await deliver(draft, external, task) : POSTPONED });
    }
  }
  return processed;
}

function taskOf(draft: BlockDraft, { body, dest }: ValidExternal): TransactionTask {
  const { startLt } = draft.input;
  const { lastDelivered } = draft;
  const after = lastDelivered !== undefined && lastDelivered.lt > startLt ? lastDelivered.lt : startLt;
  return { account: draft.accounts.get(accountOf(dest)), cause: { message: body }, lt: after + 1n };
}

async function deliver(
  draft: BlockDraft,
  { body, dest }: ValidExternal,
  task: TransactionTask,
): Promise<Verdict> {
  const message = importBoc(draft.input.arena, body);
  const hash = Buffer.from(draft.input.arena.hash(message));
  if (draft.inMessages.has(hash.toString('latin1')))
    return { outcome: 'rejected', text: 'external message has been registered before' };
  const { account } = task;
  const made = await draft.maker.make(task).catch(refusalOf);
  if (!('cell' in made)) {
    if (made.kind === 'refused') return { outcome: 'rejected', text: rejectionText(account.id, made) };
    const explained = await draft.maker.explain(task);
    const text = rejectionText(account.id, explained.kind === 'done' ? made : explained);
    return { outcome: 'rejected', text, exitCode: made.exitCode };
  }
  const initiator = { ...dest, hash: account.id, anycast: undefined };
  draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, true);
  draft.addIn(hash, { kind: 'ext', message, transaction: made.cell });
  return { outcome: 'included' };
}

/** Outcome of a message that the VM cannot run; other, possibly temporary failures are thrown. */
function refusalOf(error: unknown): Extract<TransactionOutcome, { kind: 'refused' }> {
  if (error instanceof VmCrash || error instanceof VmRunTooLong || error instanceof VmRefusal)
    return { kind: 'refused', text: error.message };
  throw error;
}

const LOG_BYTES = 256;

/**
 * The error text of a node for an external message that an account did not accept. The log must be of verbosity 1, which
 * includes every step.
 */
export function rejectionText(
  account: Buffer,
  outcome: Exclude<TransactionOutcome, { kind: 'done' }>,
): string {
  const name = account.toString('hex').toUpperCase();
  if (outcome.kind === 'refused')
    return `inbound external message rejected by account ${name} before smart-contract execution`;
  const { exitCode, log } = outcome;
  // Gas is only charged after the message is accepted, and each step leaves a line.
  const steps = log.match(/^execute /gm)?.length ?? 0;
  const head = `inbound external message rejected by transaction ${name}:\n`;
  const tail = log === '' ? '' : `\nVM Log (truncated):\n...${log.slice(-LOG_BYTES)}`;
  return `${head}exitcode=${exitCode}, steps=${steps}, gas_used=0${tail}`;
}
