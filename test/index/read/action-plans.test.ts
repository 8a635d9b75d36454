import { beforeAll, describe, it } from 'vitest';
import {
  type ActionFilters,
  readActionById,
  readActions,
  readTraceActions,
} from '../../../src/index/read/actions.ts';
import type { ListWindow } from '../../../src/index/read/lists.ts';
import { readClassificationStates, type StoredTrace } from '../../../src/index/read/stored-traces.ts';
import { listTraces } from '../../../src/index/read/traces.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';

import {
  accountOf,
  hashOf,
  messageHash,
  normalizedHashOf,
  openFilledIndex,
  transactionHash,
} from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { sampled } from '../../support/long-run.ts';

const FEW = {
  /** Out of 20 000 actions, a third of them of the busy account. */
  rows: 2000,
  small: /^(?:index_origin|account_states|action_slices|classification_|unclassified_traces)/,
};

const index = usePlans(openFilledIndex);
let traces: readonly StoredTrace[];
beforeAll(async () => {
  const { db } = index;
  const first = { filters: { span: {} }, sort: 'asc', page: { limit: 5, offset: 0 } } as const;
  traces = (await listTraces(new TransactionReader(db), first)).items;
});

const ALL = ['call_contract', 'jetton_transfer', 'ton_transfer', 'evaa_supply'];
const none: ActionFilters = {
  actionIds: [],
  traceIds: [],
  txHashes: [],
  msgHashes: [],
  span: {},
  types: { shown: ALL, hiding: ALL },
  isOfFewTypes: false,
};
const ofTypes = (...shown: string[]) => ({ types: { shown, hiding: ALL }, isOfFewTypes: true });

const FILTERS: Readonly<Record<string, Partial<ActionFilters>>> = {
  nothing: {},
  'an old vocabulary': { types: { shown: ALL.slice(0, 3), hiding: ALL.slice(0, 3) } },
  'a busy account': { account: accountOf(0) },
  'a quiet account': { account: accountOf(11) },
  'types of a busy account': { account: accountOf(0), ...ofTypes('jetton_transfer', 'evaa_supply') },
  'a common type': ofTypes('call_contract'),
  'a common type that does not occur': ofTypes('jetton_swap'),
  'a rare type': ofTypes('tgbtc_mint'),
  'several types': ofTypes('tgbtc_mint', 'jetton_transfer', 'no_such_type'),
  ids: { actionIds: [hashOf('action7'), hashOf('action8')] },
  traces: { traceIds: [transactionHash(1), transactionHash(40)] },
  transactions: { txHashes: [transactionHash(100), transactionHash(2000)] },
  messages: { msgHashes: [messageHash(100), normalizedHashOf(601)] },
  'a block': { mcSeqno: 1500 },
  'a block and an account': { mcSeqno: 1500, account: accountOf(0) },
  'transactions and messages of an account': {
    txHashes: [transactionHash(100)],
    msgHashes: [messageHash(100)],
    account: accountOf(0),
  },
};
const MIDDLE = { seqno: 2000, lt: 2_000_000_000n, time: 1_700_040_000n };
const SPANS = {
  all: {},
  'a time': { startUtime: MIDDLE.time - 10_000n, endUtime: MIDDLE.time + 10_000n },
  'a logical time': { startLt: MIDDLE.lt },
  'time and logical time': { startUtime: MIDDLE.time, endLt: MIDDLE.lt + 500_000_000n },
};
const PAGES = [
  { limit: 100, offset: 0 },
  { limit: 20, offset: 200 },
];
const cases = Object.entries(FILTERS).flatMap(([title, filters], number) =>
  Object.entries(SPANS).flatMap(([when, span], of) => {
    const both = (['asc', 'desc'] as const).map((sort, at) => ({
      title: `${title}, ${when}, ${sort}`,
      query: { filters: { ...none, ...filters, span }, sort, page: PAGES[at]! },
    }));
    return sampled([both[(number + of) % 2]!], both);
  }),
);

const expectFewRows = (read: () => Promise<unknown>) => index.expectFewRows(read, FEW);

describe('action queries read few rows', () => {
  it.each(cases)('$title', async ({ query }) => {
    const { db } = index;
    await expectFewRows(() => readActions(new TransactionReader(db), query));
  });

  it('continue after a cursor', async () => {
    const { db } = index;
    for (const filters of [FILTERS['a busy account'], FILTERS['several types'], {}]) {
      for (const [, span] of Object.entries(SPANS)) {
        const query = { filters: { ...none, ...filters, span }, sort: 'desc' as const };
        const read = (page: ListWindow) => readActions(new TransactionReader(db), { ...query, page });
        const rows = await read({ limit: 10, offset: 700 });
        const after = rows.at(-1)?.cursor;
        await expectFewRows(() => read({ limit: 100, offset: 0, after }));
      }
    }
  });

  it('read actions of traces, by id, and classification states', async () => {
    const { db } = index;
    await expectFewRows(() => readTraceActions(db, { traces, types: none.types }));
    await expectFewRows(() => readActionById(db, { action_id: hashOf('action7') }));
    await expectFewRows(() => readClassificationStates(db, { traces }));
  });
});
