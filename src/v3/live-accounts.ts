import { fromAccountBytes } from '../chain/address.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { readMethodIds } from '../chain/contracts/method-ids.ts';
import type { KnownAccount } from '../index/read/accounts.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import type { AccountState } from '../live/accounts.ts';
import type { V3Call } from './call.ts';

/** Accounts of one response that are read at the same time. */
const MAX_CONCURRENT_READS = 16;

/**
 * Reads accounts from lite servers in the rest of the caller's time. Accounts that do not exist, and those that could
 * not be read, are left out.
 */
export async function readLiveAccounts(call: V3Call, accounts: readonly Buffer[]): Promise<KnownAccount[]> {
  const { ports, log, caller, options } = call;
  const request = { log, caller, untilMs: caller.startedAtMs + options.timeoutMs };
  const found = await mapInOrder(accounts, MAX_CONCURRENT_READS, async (account) => {
    try {
      const live = await ports.live.accountState(fromAccountBytes(account), request);
      return live === undefined ? [] : [knownFromLive(account, live)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.debug({ err: error }, 'Account not read from lite servers');
      return [];
    }
  });
  return found.flat();
}

/** An account from a lite server in the form of the index. */
export function knownFromLive(account: Buffer, live: AccountState): KnownAccount {
  const code = live.code && liveBoc(live.code, false);
  const currencies = live.extraCurrencies.map(({ id, amount }) => [String(id), String(amount)] as const);
  return {
    account,
    hash: hashOf(live.cell),
    status: live.status,
    balance: String(live.balance),
    balance_extra: currencies.length === 0 ? null : Object.fromEntries(currencies),
    code_hash: live.code ? hashOf(live.code) : null,
    data_hash: live.data ? hashOf(live.data) : null,
    frozen_hash: live.frozenHash ?? null,
    last_trans_lt: String(live.lastTransLt),
    last_trans_hash: live.lastTransHash,
    code,
    methods: (code && readMethodIds(code)) ?? null,
    data: live.data && liveBoc(live.data, false),
  };
}

/** A cell as a bag of cells. In the index bags have no checksum, in v2 they have one. */
export function liveBoc({ cells, cell }: CellRef, crc: boolean): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc });
}

function hashOf({ cells, cell }: CellRef): Buffer {
  return Buffer.from(cells.hash(cell, 0));
}
