import { writeBoc } from '../chain/boc/writer.ts';
import { readMethodIds } from '../chain/contracts/method-ids.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import type { CellRef } from '../lite/methods/proofs.ts';
import type { LiveAccount } from '../live/accounts.ts';
import type { V3Call } from './call.ts';
import type { KnownAccount } from './known-accounts.ts';
import { fromAccountBytes } from './values.ts';

/** Accounts that are asked for at once for one answer. */
const CONCURRENCY = 16;

/**
 * Reads accounts from lite servers in what is left of the caller's time. One that does not exist, or that no server
 * tells of, is left out.
 */
export async function readLiveAccounts(call: V3Call, accounts: readonly Buffer[]): Promise<KnownAccount[]> {
  const { ports, log, caller, options } = call;
  const asker = { log, caller, untilMs: caller.startedAtMs + options.timeoutMs };
  const found = await mapInOrder(accounts, CONCURRENCY, async (account) => {
    try {
      const live = await ports.live.accountState(fromAccountBytes(account), asker);
      return live === undefined ? [] : [knownFromLive(account, live)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.debug({ err: error }, 'An account could not be read from a lite server');
      return [];
    }
  });
  return found.flat();
}

/** An account of a lite server in the form of those of the index. */
export function knownFromLive(account: Buffer, live: LiveAccount): KnownAccount {
  const code = live.code && liveBoc(live.code, false);
  const currencies = live.extraCurrencies.map(({ id, amount }) => [String(id), String(amount)] as const);
  return {
    account,
    hash: live.hash,
    status: live.status,
    balance: String(live.balance),
    balance_extra: currencies.length === 0 ? null : Object.fromEntries(currencies),
    code_hash: hashOf(live.code),
    data_hash: hashOf(live.data),
    frozen_hash: live.frozenHash ?? null,
    last_trans_lt: String(live.lastTransLt),
    last_trans_hash: live.lastTransHash,
    code,
    methods: (code && readMethodIds(code)) ?? null,
    data: live.data && liveBoc(live.data, false),
  };
}

/** A cell as a bag. The index has those of accounts without a checksum, v2 with one. */
export function liveBoc({ cells, cell }: CellRef, crc: boolean): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc });
}

function hashOf(found: CellRef | undefined): Buffer | null {
  return found === undefined ? null : Buffer.from(found.cells.hash(found.cell, 0));
}
