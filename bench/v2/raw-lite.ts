import { readFile } from 'node:fs/promises';
import type { AccountId } from '../../src/chain/address.ts';
import type { BlockId } from '../../src/chain/block-id.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { parseGlobalConfig } from '../../src/lite/global-config.ts';
import { getAccountState } from '../../src/lite/methods/accounts.ts';
import {
  decodeResponse,
  encodeRequest,
  type LiteRequest,
  type LiteResponseOf,
} from '../../src/lite/methods/codec.ts';
import { getTransactions, readHistory, type TransactionRef } from '../../src/lite/methods/transactions.ts';

/** A lite-server connection without a pool: the baseline of operations that need a lite query. */
export interface RawLite {
  /** The newest block when the round started. */
  readonly head: BlockId;
  readonly updateHead: () => Promise<BlockId>;
  /** Sends a query and decodes the response, but does not parse its cells. */
  readonly query: <R extends LiteRequest>(request: R) => Promise<LiteResponseOf<R['method']>>;
  /** Reads an account state and verifies its proofs. */
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
  const send = (request: Buffer): Promise<Buffer> => connection.query(request);
  const query = async <R extends LiteRequest>(request: R): Promise<LiteResponseOf<R['method']>> =>
    decodeResponse<R['method']>(request.method, await send(encodeRequest(request)));
  const readHead = async (): Promise<BlockId> => (await query({ method: 'getMasterchainInfo' })).last;
  let head = await readHead();
  return {
    get head() {
      return head;
    },
    updateHead: async () => {
      head = await readHead();
      return head;
    },
    query,
    account: (account) => getAccountState(send, head, account, CHECK),
    async wholeHistory(account) {
      const { lastTransLt: lt, lastTransHash: hash } = await getAccountState(send, head, account, CHECK);
      const transactions: TransactionRef[] = [];
      await readHistory(
        (start, count) => getTransactions(send, account, start, count, CHECK),
        { from: { lt, hash }, limit: Number.POSITIVE_INFINITY },
        ({ lt: foundLt, hash: foundHash }) => transactions.push({ lt: foundLt, hash: foundHash }),
      );
      return transactions;
    },
    close: () => connection.close(),
  };
}
