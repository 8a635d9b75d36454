import type { Kysely } from 'kysely';
import type { ActionRow } from '../../../src/db/queries/action-order.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { scatter } from '../support/made-rows.ts';
import { makeAction, toAccountInserts, toInsert } from './made-action.ts';

const TYPES = [
  ...['ton_transfer', 'call_contract', 'jetton_transfer', 'nft_transfer', 'jetton_swap', 'contract_deploy'],
  ...['multisig_execute', 'nft_purchase', 'cocoon_grant_refund', 'tgbtc_mint', 'unknown', 'no_such_type'],
];
const WHOLES = ['multisig_execute', 'nft_purchase', 'cocoon_grant_refund', 'tgbtc_mint'];
const MOST_OF_TRACE = 4;

/** An action with what it is found by. */
export interface DemoAction {
  readonly row: ActionRow;
  readonly transactions: ReadonlySet<string>;
  /** Hashes of messages of its transactions, normalized ones too. */
  readonly messages: ReadonlySet<string>;
}

/**
 * Puts actions of chance into the index of the demo, over its real traces: of several types, some of them parts of others,
 * with some of the transactions and accounts of their trace. Whatever was there is replaced.
 */
export async function writeDemoActions(db: Kysely<Tables>): Promise<DemoAction[]> {
  await db.deleteFrom('actions').execute();
  await db.deleteFrom('action_accounts').execute();
  const traces = await db.selectFrom('traces').selectAll().orderBy('end_lt').orderBy('trace_id').execute();
  const transactions = await db
    .selectFrom('transactions')
    .select(['trace_id', 'account', 'lt', 'hash', 'now'])
    .orderBy('lt')
    .orderBy('account')
    .execute();
  const messages = await db
    .selectFrom('messages')
    .select(['account', 'tx_lt', 'hash', 'hash_norm'])
    .execute();
  const keyOf = (account: Buffer, lt: string) => account.toString('hex') + lt;
  const messagesOf = Map.groupBy(messages, ({ account, tx_lt }) => keyOf(account, tx_lt));
  const ownOf = Map.groupBy(transactions, ({ trace_id }) => trace_id.toString('hex'));
  const made = traces.flatMap((trace, at) => {
    const all = ownOf.get(trace.trace_id.toString('hex')) ?? [];
    return Array.from({ length: scatter(at, MOST_OF_TRACE + 1) }, (_, turn): DemoAction => {
      const chance = (below: number, salt: number) => scatter(at * 100 + turn * 10 + salt, below);
      const first = chance(all.length, 1);
      const own = all.slice(first, first + 1 + chance(3, 2));
      const type = TYPES[chance(TYPES.length, 3)]!;
      const row = makeAction({
        type,
        data: null,
        ...{ action_id: hashOf(`made ${at} ${turn}`), trace_id: trace.trace_id },
        ...{ trace_mc_seqno_end: trace.mc_seqno_end, trace_end_lt: trace.end_lt },
        ...{ trace_end_utime: trace.end_utime, trace_external_hash: trace.external_hash },
        ...{ trace_external_hash_norm: trace.external_hash_norm, success: chance(5, 4) > 0 },
        ancestor_type: chance(3, 5) === 0 ? [WHOLES[chance(WHOLES.length, 6)]!] : [],
        ...{ start_lt: own[0]!.lt, end_lt: own.at(-1)!.lt, start_utime: own[0]!.now },
        // Sometimes the order of time is not that of logical time.
        end_utime: String(BigInt(own.at(-1)!.now) + BigInt(chance(3, 7))),
        tx_hashes: own.map(({ hash }) => hash),
        accounts: [...new Map(own.map(({ account }) => [account.toString('hex'), account])).values()],
      });
      return {
        row,
        transactions: new Set(own.map(({ hash }) => hash.toString('base64'))),
        messages: new Set(
          own
            .flatMap(({ account, lt }) => messagesOf.get(keyOf(account, lt)) ?? [])
            .flatMap(({ hash, hash_norm }) =>
              [hash, hash_norm ?? hash].map((each) => each.toString('base64')),
            ),
        ),
      };
    });
  });
  const rows = made.map(({ row }) => row);
  await db.insertInto('actions').values(rows.map(toInsert)).execute();
  await db.insertInto('action_accounts').values(rows.flatMap(toAccountInserts)).execute();
  return made;
}
