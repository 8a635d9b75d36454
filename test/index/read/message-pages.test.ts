import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/chain/tlb/message.ts';
import { accountKeyOf } from '../../../src/chain/tlb/msg-address.ts';
import type { ListWindow } from '../../../src/index/read/lists.ts';
import type { MessageFilters } from '../../../src/index/read/messages.ts';
import { listMessages } from '../../../src/index/read/messages.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';
import {
  accountOf,
  BUSY,
  bodyHash,
  inMiddle,
  MIDDLE_LTS as lts,
  makeMiddle,
  messageHash,
  normalizedHashOf,
  openFilledIndex,
  QUIET,
  readToEnd,
  MIDDLE_TIMES as times,
} from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';
import { sampled } from '../../support/long-run.ts';

const FEW = {
  /** Out of about 27 000 messages and 20 000 transactions. */
  rows: 1250,
  /**
   * Other accounts with the same prefix, bounds, the reach of the page, bounds of that, its rows, their receivers, and
   * the transactions.
   */
  statements: 11,
  small: /^(?:index_origin|account_states)/,
};

const index = usePlans(openFilledIndex);

const NO_FILTERS: MessageFilters = { onlyExternals: false, excludeExternals: false, span: {} };
const MESSAGES: readonly (readonly [string, Partial<MessageFilters> & { hashes?: readonly Buffer[] }])[] = [
  ['nothing', {}],
  ['hashes', { hashes: [messageHash(10002), normalizedHashOf(9997)] }],
  ['hashes and time', { hashes: [messageHash(10002), messageHash(10003)], span: times }],
  ['body', { bodyHash: bodyHash(7) }],
  ['body and time', { bodyHash: bodyHash(7), span: times }],
  ['opcode', { opcode: 7 }],
  ['opcode and time', { opcode: 7, span: times }],
  ['direction', { direction: 'in' }],
  ['direction and time', { direction: 'out', span: times }],
  ['only externals', { onlyExternals: true }],
  ['no externals', { excludeExternals: true }],
  ['from outside', { source: null }],
  ['to outside', { destination: null }],
  ['to outside, time', { destination: null, span: times }],
  ['time', { span: times }],
  ['lt', { span: lts }],
  ['time and lt', { span: { startUtime: 0n, ...lts } }],
  ['contradiction', { source: null, span: times }],
  ...([BUSY, QUIET] as const).flatMap((account) => {
    const who = account === BUSY ? 'busy' : 'quiet';
    return [
      [`from ${who}`, { source: account }],
      [`to ${who}`, { destination: account }],
      [`from ${who}, in`, { source: account, direction: 'in' }],
      [`from ${who}, lt`, { source: account, span: lts }],
      [`from ${who}, time`, { source: account, span: times }],
      [`to ${who}, time`, { destination: account, span: times }],
      [`to ${who}, time without end`, { destination: account, span: { startUtime: times.startUtime } }],
      [`to ${who}, externals`, { destination: account, onlyExternals: true }],
      [`between ${who} and another`, { source: account, destination: accountOf(4) }],
    ] as const;
  }),
];

interface Query {
  readonly filters: MessageFilters & { readonly hashes?: readonly Buffer[] };
  readonly sort: 'asc' | 'desc';
  readonly page: ListWindow;
}

async function readMessages({ filters: { hashes = [], ...filters }, sort, page }: Query) {
  const { db } = index;
  return listMessages(new TransactionReader(db), { hashes, filters, sort, page });
}

const hashesOf = (items: readonly { readonly hash: Buffer }[]) =>
  items.map(({ hash }) => hash.toString('hex'));

/** Both orders; in a sample, every other case has the other one. */
const ordersOf = (at: number) => sampled([(['asc', 'desc'] as const)[at % 2]!], ['asc', 'desc'] as const);

describe.each(MESSAGES.map((one, at) => [...one, at] as const))('messages by %s', (_, some, at) => {
  const filters = { ...NO_FILTERS, ...some };
  it.each(ordersOf(at))('are read from an index, %s', async (sort) => {
    const page: ListWindow = { limit: 10, offset: 20 };
    const whole = hashesOf((await readMessages({ filters, sort, page: { limit: 40, offset: 0 } })).items);
    const found = await index.expectFewRows(() => readMessages({ filters, sort, page }), FEW);
    expect(hashesOf(found.result.items)).toEqual(whole.slice(20, 30));
    const first = await readMessages({ filters, sort, page: { limit: 5, offset: 0 } });
    expect(first.next === undefined).toBe(whole.length < 5);
    const behind = await index.expectFewRows(
      () => readMessages({ filters, sort, page: { limit: 10, offset: 0, after: first.next } }),
      FEW,
    );
    expect(hashesOf(behind.result.items)).toEqual(whole.slice(first.next ? 5 : 0, first.next ? 15 : 10));
  });
});

describe('pages in the order of time that differs from the order of lt', () => {
  const messages = makeMiddle()
    .flatMap(({ transaction }) => transaction.outMessages)
    .filter(isCreated);
  const someBody = bodyHash(5);

  it.each(['asc', 'desc'] as const)('contain exactly the right messages of an account, %s', async (sort) => {
    const cases: readonly [Partial<MessageFilters>, (message: CreatedMessage) => boolean][] = [
      [{ source: BUSY }, ({ info }) => accountKeyOf(info.src)!.equals(BUSY)],
      [{ destination: BUSY }, ({ info }) => accountKeyOf(info.dest)?.equals(BUSY) === true],
      [{ opcode: 7 }, ({ opcode }) => opcode === 7],
      [{ bodyHash: someBody }, (message) => message.bodyHash.equals(someBody)],
    ];
    for (const [filters, isWanted] of cases) {
      const found = messages
        .filter(isWanted)
        .map((message) => ({ message, time: message.info.createdAt, hash: message.hash }));
      const expected = hashesOf(inMiddle(found, sort));
      expect(expected.length).toBeGreaterThan(20);
      const query = { filters: { ...NO_FILTERS, ...filters, span: times }, sort };
      const read = (page: ListWindow) => readMessages({ ...query, page });
      expect(hashesOf(await readToEnd(read, Math.ceil(expected.length / 3)))).toEqual(expected);
    }
  });
});

/** A message that has a time of creation. */
type CreatedMessage = Message & { readonly info: Exclude<Message['info'], { readonly kind: 'external-in' }> };

function isCreated(message: Message): message is CreatedMessage {
  return message.info.kind !== 'external-in';
}
