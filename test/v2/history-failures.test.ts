import { afterEach, describe, expect, it } from 'vitest';
import { formatRaw } from '../../src/chain/address.ts';
import { LiteServerError } from '../../src/lite/errors.ts';
import { openSampleServers, type SampleServer, type SampleServers } from './support/sample-servers.ts';

let context: SampleServers;
afterEach(() => context.close());

const NOT_IN_DB =
  'cannot compute block with specified transaction: cannot find block (0,2211111111111111) lt=2000010: lt not in db';

/** A server without the first masterchain blocks and an account's first transactions. */
const young: SampleServer = {
  oldest: 5,
  answer(request) {
    if (request.method === 'getTransactions' && request.lt < 3_000_000n)
      throw new LiteServerError(0, NOT_IN_DB);
    return undefined;
  },
};
/** A server that finds a transaction by its logical time and ignores the hash. */
const careless: SampleServer = {
  answer(request, honest) {
    if (request.method !== 'getTransactions') return undefined;
    const same = context.chain.transactions.find(
      ({ account, lt }) => lt === request.lt && account.hash.equals(request.account.hash),
    );
    Object.assign(request, { hash: same?.hash });
    return honest();
  },
};
/** A server that returns the history of another account. */
const liar: SampleServer = {
  answer(request, honest) {
    if (request.method !== 'getTransactions') return undefined;
    const { accounts, transactions } = context.chain;
    const { lt, hash } = transactions.find(({ account }) => account === accounts.right)!;
    Object.assign(request, { account: accounts.right, lt, hash });
    return honest();
  },
};

/** The transactions of the account with 24 of them, newest first, and the parameters for one. */
function left() {
  const account = context.chain.accounts.left;
  const own = context.chain.transactions.filter((made) => made.account === account);
  const hashes = own.map(({ hash }) => hash.toString('base64'));
  const named = (index: number) => ({ lt: String(own[index]!.lt), hash: hashes[index]! });
  return { address: formatRaw(account, 'lower'), hashes, named };
}

async function history(params: object = {}) {
  const { status, body } = await context.call('getTransactions', { address: left().address, ...params });
  if (status !== 200) return `${status} ${body.error}`;
  return body.result.map((one: { transaction_id: { hash: string } }) => one.transaction_id.hash);
}

/** The number of transactions in each query to each server. */
const pages = () =>
  context.requests.map((asked) =>
    asked.flatMap((request) => (request.method === 'getTransactions' ? [request.count] : [])),
  );
const wrongResponses = () => context.pool.servers().map((server) => server.wrongResponses);

describe('getTransactions with a server that lacks the start of the history', () => {
  it('reads the rest from an archive server without reading anything twice', async () => {
    context = await openSampleServers([young, { isSlow: true }]);
    expect(await history({ limit: 1000 })).toEqual(left().hashes);
    expect(pages()).toEqual([[16, 16], [16]]);
  });

  it('fails without an archive server instead of returning a part', async () => {
    context = await openSampleServers([young]);
    expect(await history({ limit: 1000 })).toBe(`500 LITE_SERVER_UNKNOWN: ${NOT_IN_DB}`);
    expect(await history({ limit: 16 })).toEqual(left().hashes.slice(0, 16));
  });

  it('uses only archive servers with archival=true, or fails', async () => {
    context = await openSampleServers([young, { isSlow: true }]);
    expect(await history({ limit: 3, archival: true })).toHaveLength(3);
    expect(pages()).toEqual([[], [3]]);
    await context.close();
    context = await openSampleServers([young]);
    expect(await history({ limit: 3, archival: true })).toBe(
      '542 failed to get session: no workers available (archival=1 mode=Single)',
    );
    expect(await history({ limit: 3, archival: false })).toHaveLength(3);
  });
});

describe('getTransactions from a wrong transaction', () => {
  it('returns the error text of the lite server', async () => {
    context = await openSampleServers([{}]);
    const { lt } = left().named(3);
    expect(await history({ lt, hash: '00'.repeat(32) })).toBe(
      '500 LITE_SERVER_UNKNOWN: transaction hash mismatch',
    );
    expect(wrongResponses()).toEqual([0]);
  });

  it('distrusts no lite server, not even one that ignores the hash', async () => {
    context = await openSampleServers([careless]);
    const { lt } = left().named(3);
    expect(await history({ lt, hash: '00'.repeat(32) })).toMatch(
      /^500 VALIDATE_TRANSACTIONtransaction hash mismatch: expected 0{64}, found [0-9A-F]{64}$/,
    );
    expect(wrongResponses()).toEqual([0]);
    expect(await history(left().named(3))).toEqual(left().hashes.slice(3, 13));
  });

  it('tries another lite server', async () => {
    context = await openSampleServers([careless, { isSlow: true }]);
    const { lt } = left().named(3);
    expect(await history({ lt, hash: '00'.repeat(32) })).toBe(
      '500 LITE_SERVER_UNKNOWN: transaction hash mismatch',
    );
    expect(wrongResponses()).toEqual([0, 0]);
  });
});

describe('getTransactions with a server that returns the history of another account', () => {
  it('distrusts the server when the newest transaction is proven', async () => {
    context = await openSampleServers([liar, { isSlow: true }]);
    expect(await history({ limit: 24 })).toEqual(left().hashes);
    expect(wrongResponses()).toEqual([1, 0]);
  });

  it('detects it after the first page too', async () => {
    const late: SampleServer = {
      answer: (request, honest) =>
        request.method === 'getTransactions' && request.lt < 3_000_000n
          ? liar.answer?.(request, honest)
          : undefined,
    };
    context = await openSampleServers([late, { isSlow: true }]);
    expect(await history({ limit: 24, ...left().named(0) })).toEqual(left().hashes);
    expect(wrongResponses()).toEqual([1, 0]);
    expect(pages()).toEqual([[16, 8], [8]]);
  });
});
