import type { BlockId } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readMessage } from '../../chain/tlb/message.ts';
import { readMessageInfo } from '../../chain/tlb/message-info.ts';
import { type AddrStd, accountOf } from '../../chain/tlb/msg-address.ts';
import type { AccountPrefix } from '../store/chain-store.ts';
import type { BlockDraft } from './block-draft.ts';
import { rejectionText } from './rejection-text.ts';
import { placeOf } from './routing.ts';
import type { Task } from './transaction-maker.ts';

/** A message from outside that asks to be taken into a block. */
export interface External {
  readonly id: string;
  /** The bag of cells as it came. */
  readonly body: Buffer;
}

/** What became of a message from outside. */
export type ExternalOutcome =
  | { readonly id: string; readonly outcome: 'included'; readonly block: BlockId }
  | { readonly id: string; readonly outcome: 'rejected'; readonly text: string; readonly exitCode?: number }
  /** There was no room left for it. */
  | { readonly id: string; readonly outcome: 'postponed' };

/** A message from outside that is well-formed. */
export interface SoundExternal extends External {
  readonly dest: AddrStd;
  readonly place: AccountPrefix;
}

/** The same before the block has a name. */
export type DraftOutcome =
  | { readonly external: External; readonly outcome: 'included' }
  | { readonly external: External; readonly outcome: 'postponed' }
  | {
      readonly external: External;
      readonly outcome: 'rejected';
      readonly text: string;
      readonly exitCode?: number | undefined;
    };

/** How many messages are run ahead together. */
const BATCH = 32;

/** Looks into a message from outside; gives the reason if it is none. */
export function checkExternal(external: External): SoundExternal | string {
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

/** Delivers messages from outside while there is room. */
export async function takeExternals(
  draft: BlockDraft,
  externals: readonly SoundExternal[],
): Promise<DraftOutcome[]> {
  const outcomes: DraftOutcome[] = [];
  for (let from = 0; from < externals.length; from += BATCH) {
    const batch = externals
      .slice(from, from + BATCH)
      .map((external) => ({ external, task: taskOf(draft, external) }));
    if (draft.load.fitsExternal) await draft.maker.prepare(batch.map(({ task }) => task));
    for (const { external, task } of batch)
      outcomes.push(
        draft.load.fitsExternal ? await deliver(draft, external, task) : { external, outcome: 'postponed' },
      );
  }
  return outcomes;
}

function taskOf(draft: BlockDraft, { body, dest }: SoundExternal): Task {
  const { startLt } = draft.input;
  const { lastDelivered } = draft;
  const after = lastDelivered !== undefined && lastDelivered.lt > startLt ? lastDelivered.lt : startLt;
  return { account: draft.book.get(accountOf(dest)), cause: { message: body }, lt: after + 1n };
}

async function deliver(draft: BlockDraft, external: SoundExternal, task: Task): Promise<DraftOutcome> {
  const message = draft.import(external.body);
  const hash = Buffer.from(draft.input.arena.hash(message));
  if (draft.inMessages.has(hash.toString('latin1')))
    return { external, outcome: 'rejected', text: 'external message has been registered before' };
  const made = await draft.maker.make(task).catch((error: unknown) => ({
    kind: 'refused' as const,
    text: error instanceof Error ? error.message : String(error),
  }));
  if (!('cell' in made)) {
    const exitCode = made.kind === 'not_accepted' ? made.exitCode : undefined;
    return { external, outcome: 'rejected', text: rejectionText(task.account.id, made), exitCode };
  }
  const initiator = { ...external.dest, hash: task.account.id, anycast: undefined };
  draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, true);
  draft.addIn(hash, { kind: 'ext', message, transaction: made.cell });
  return { external, outcome: 'included' };
}
