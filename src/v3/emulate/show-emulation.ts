import Type, { type Static } from 'typebox';
import { PlainText, Written, written } from '../../http/serializer.ts';
import type { EmulatedTrace } from '../../pending/emulated-trace.ts';
import { tracedActionSchema } from '../actions/action.ts';
import { expandActionTypes } from '../actions/action-types.ts';
import { createActionWriter } from '../actions/action-writer.ts';
import { addressBookEntrySchema } from '../address-book.ts';
import { loadBooks } from '../books.ts';
import { MapOf } from '../map-of.ts';
import { metadataEntrySchema } from '../metadata.ts';
import { readIndex } from '../read-index.ts';
import { buildTraceTree, traceNodeSchema, writeTraceTree } from '../traces/trace-tree.ts';
import { accountsOf, transactionSchema } from '../transactions/transaction.ts';
import { byEndBackwards, knownActions, toUnindexedAction } from '../unindexed/shown-action.ts';
import { toUnindexedTransaction } from '../unindexed/shown-transaction.ts';
import type { EmulateCall } from './emulate-call.ts';
import type { EmulateView } from './emulate-params.ts';
import { bagsOf, emulatedRows } from './emulated-rows.ts';
import { describeLeftTokens } from './left-tokens.ts';
import { classifyEmulated } from './run-emulation.ts';

const cellsSchema = MapOf(PlainText({ description: 'A bag of cells.' }));

/** What a message would do. */
export const emulationSchema = Type.Object({
  mc_block_seqno: Type.Integer({ description: 'The masterchain block from which on it was emulated.' }),
  trace: Written(traceNodeSchema),
  transactions: MapOf(transactionSchema),
  actions: Type.Optional(Type.Array(tracedActionSchema, { description: 'Where they were asked for.' })),
  code_cells: Type.Optional(cellsSchema),
  data_cells: Type.Optional(cellsSchema),
  address_book: Type.Optional(MapOf(addressBookEntrySchema)),
  metadata: Type.Optional(MapOf(metadataEntrySchema)),
  rand_seed: PlainText(),
  is_incomplete: Type.Boolean({ description: 'True when messages are left that were not delivered.' }),
});

type Emulation = Static<typeof emulationSchema>;

/** Writes what an emulation gave, for a caller who knows the actions of a version. */
export async function showEmulation(
  call: EmulateCall,
  trace: EmulatedTrace,
  { version, ...view }: EmulateView & { readonly version: string },
): Promise<Emulation> {
  const { externalHash, normalizedHash, mcSeqno, randSeed, bound } = trace;
  const standing = { externalHash, normalizedHash, finality: 'pending' } as const;
  const startMs = performance.now();
  const { rows, states } = emulatedRows(trace, call.ports.networkVersion());
  const shown = rows.map((row) =>
    toUnindexedTransaction(row, { ...standing, hasTraceId: false, emulated: true }, call.bodies),
  );
  const cells = view.include_code_data && {
    ...{ code_cells: bagsOf(states, 'code'), data_cells: bagsOf(states, 'data') },
  };
  // States may be large, and to read them is work of this very thread.
  call.charge(performance.now() - startMs);
  const writer = createActionWriter(call);
  const rowsOfActions = view.with_actions ? (await classifyEmulated(call, trace)).actions : undefined;
  const actions =
    rowsOfActions &&
    knownActions(rowsOfActions, expandActionTypes([version]))
      .sort(byEndBackwards)
      .map((row) => toUnindexedAction(writer, { ...standing, traceId: undefined }, row));
  return {
    mc_block_seqno: mcSeqno,
    trace: written(writeTraceTree(buildTraceTree(rows).root!)),
    transactions: Object.fromEntries(shown.map((transaction) => [transaction.hash, transaction])),
    ...(actions && { actions }),
    ...cells,
    ...(await booksOf(call, trace, view, () => [...accountsOf(rows), ...writer.accounts])),
    rand_seed: randSeed.toString('base64'),
    is_incomplete: bound !== undefined,
  };
}

/** What is known of the addresses, as far as it was asked for. */
async function booksOf(
  call: EmulateCall,
  trace: EmulatedTrace,
  { include_address_book: isBook, include_metadata: isMetadata }: EmulateView,
  accounts: () => (Buffer | null | undefined)[],
): Promise<Pick<Emulation, 'address_book' | 'metadata'>> {
  if (!isBook && !isMetadata) return {};
  const timeoutMs = Math.max(1, call.deadlineMs - performance.now());
  const options = { ...call.options, timeoutMs, noAddressBook: !isBook, noMetadata: !isMetadata };
  const asking = { ...call, options };
  const { address_book, metadata } = await readIndex(asking, (db) => loadBooks(asking, db, accounts()));
  if (!isMetadata) return { address_book };
  const all = { ...metadata, ...(await describeLeftTokens(call, trace, metadata)) };
  return isBook ? { address_book, metadata: all } : { metadata: all };
}
