import { readFile } from 'node:fs/promises';
import type { AccountId } from '../../src/chain/address.ts';
import type { BlockId } from '../../src/chain/block-id.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../src/lite/global-config.ts';
import { getAccountState } from '../../src/lite/methods/accounts.ts';
import {
  decodeAnswer,
  encodeRequest,
  type LiteAnswerOf,
  type LiteRequest,
} from '../../src/lite/methods/codec.ts';
import { getTransactions, readHistory, type TransactionRef } from '../../src/lite/methods/transactions.ts';

/** The lite server asked without a pool, for the floor of answers that need it. */
export interface RawLite {
  /** The newest block when the round began. */
  readonly renewHead: () => Promise<BlockId>;
  readonly head: BlockId;
  /** One query: written, asked and its answer decoded, but no cell of it looked at. */
  readonly ask: <R extends LiteRequest>(request: R) => Promise<LiteAnswerOf<R['method']>>;
  /** The same question with all that proves the answer. */
  readonly account: (account: AccountId) => Promise<unknown>;
  readonly wholeHistory: (account: AccountId) => Promise<TransactionRef[]>;
  readonly close: () => void;
}

const CHECK = { verify: true };

/** Connects to the first server of a global config. */
export async function openRawLite(globalConfigPath: string): Promise<RawLite> {
  const { liteServers } = parseGlobalConfig(await readFile(globalConfigPath, 'utf8'));
  const ready = Promise.withResolvers<void>();
  const connection = createConnection({ ...liteServers[0]!, onReady: ready.resolve });
  await ready.promise;
  const query = (request: Buffer): Promise<Buffer> => connection.query(request);
  const ask = async <R extends LiteRequest>(request: R): Promise<LiteAnswerOf<R['method']>> =>
    decodeAnswer<R['method']>(request.method, await query(encodeRequest(request)));
  const newest = async (): Promise<BlockId> => (await ask({ method: 'getMasterchainInfo' })).last;
  let head = await newest();
  return {
    get head() {
      return head;
    },
    renewHead: async () => {
      head = await newest();
      return head;
    },
    ask,
    account: (account) => getAccountState(query, head, account, CHECK),
    async wholeHistory(account) {
      const { lastTransLt: lt, lastTransHash: hash } = await getAccountState(query, head, account, CHECK);
      const places: TransactionRef[] = [];
      await readHistory(
        (place, count) => getTransactions(query, account, place, count, CHECK),
        { from: { lt, hash }, limit: Number.POSITIVE_INFINITY },
        (found) => places.push({ lt: found.lt, hash: found.hash }),
      );
      return places;
    },
    close: () => connection.close(),
  };
}
