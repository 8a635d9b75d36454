import { Address } from '@ton/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { accountPrefix } from '../../../src/index/format/position.ts';
import { bytesKey } from '../../../src/lib/bytes-key.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { readStoredTraces, type StoredTrace } from '../../support/stored-traces.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';
import { atParts, common, type ListQuery, type ListValues } from './list-queries.ts';

/** A trace with the hashes of its transactions and messages. */
export interface SlowTrace extends Omit<StoredTrace, 'accounts'> {
  readonly accounts: ReadonlySet<string>;
  readonly transactions: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

/** Reads all complete traces of an index. */
export async function readSlowTraces(db: Kysely<Tables>): Promise<SlowTrace[]> {
  const transactions = await readStoredTransactions(db);
  const ownOf = Map.groupBy(transactions, ({ traceId }) => bytesKey(traceId));
  return (await readStoredTraces(db)).map((trace) => {
    const own = ownOf.get(bytesKey(trace.traceId)) ?? [];
    const messages = own.flatMap(({ inMessage, outMessages }) => [inMessage ?? [], outMessages].flat());
    return {
      ...trace,
      accounts: new Set(trace.accounts.map(formatAccount)),
      transactions: new Set(own.map(({ hash }) => b64(hash))),
      messages: new Set(
        messages.flatMap(({ hash, normalizedHash }) => [b64(hash), b64(normalizedHash ?? hash)]),
      ),
    };
  });
}

const RULES: Readonly<Record<string, (trace: SlowTrace, values: readonly string[]) => boolean>> = {
  // Where transactions were dropped, only prefixes of their accounts are left.
  account: ({ accounts, droppedAccounts = [] }, [value]) =>
    accounts.has(value!) || droppedAccounts.includes(accountPrefix(parseAccount(value!))),
  trace_id: ({ traceId }, values) => values.includes(b64(traceId)),
  tx_hash: ({ transactions }, values) => values.some((value) => transactions.has(value)),
  msg_hash: ({ messages }, values) => values.some((value) => messages.has(value)),
  mc_seqno: ({ mcSeqnoEnd }, [value]) => mcSeqnoEnd === Number(value),
  start_utime: ({ endUtime }, [value]) => endUtime >= Number(value),
  end_utime: ({ endUtime }, [value]) => endUtime <= Number(value),
  start_lt: ({ endLt }, [value]) => endLt >= BigInt(value!),
  end_lt: ({ endLt }, [value]) => endLt <= BigInt(value!),
};

/** The ids of the requested traces, in order. */
export function listReferenceTraces(traces: readonly SlowTrace[], query: ListQuery): string[] {
  const sign = query.sort === 'asc' ? 1n : -1n;
  const has = (...names: readonly string[]) => names.some((name) => query[name] !== undefined);
  const byTime = has('start_utime', 'end_utime') && !has('start_lt', 'end_lt');
  const key = ({ endUtime, endLt }: SlowTrace) => (byTime ? BigInt(endUtime) : endLt);
  const filters = Object.entries(query).flatMap(([name, value]) =>
    RULES[name] === undefined ? [] : [(each: SlowTrace) => RULES[name]!(each, [value].flat())],
  );
  return traces
    .filter((trace) => filters.every((filter) => filter(trace)))
    .sort((a, b) => Number(sign * (key(a) - key(b) || BigInt(Buffer.compare(a.traceId, b.traceId)))))
    .map(({ traceId }) => b64(traceId));
}

/** Values of some traces, a few of each kind. */
export function traceValues(all: readonly SlowTrace[]): ListValues {
  const byEnd = all.toSorted((a, b) => Number(a.endLt - b.endLt));
  const at = (part: number) => byEnd[Math.floor(part * (byEnd.length - 1))]!;
  const some = (names: (trace: SlowTrace) => Iterable<string>) =>
    atParts(
      byEnd.flatMap((trace) => [...names(trace)].at(-1) ?? []),
      [0.3, 0.6, 0.9],
    );
  const norm = all.find(({ externalHashNorm }) => externalHashNorm !== undefined)!.externalHashNorm!;
  return {
    account: common(all.flatMap(({ accounts }) => [...accounts])).slice(0, 3),
    trace_id: [[0.1, 0.5, 0.8].map((part) => b64(at(part).traceId)), b64(Buffer.alloc(32))],
    tx_hash: [some(({ transactions }) => transactions), b64(Buffer.alloc(32))],
    msg_hash: [some(({ messages }) => messages), b64(norm)],
    mc_seqno: common(all.map(({ mcSeqnoEnd }) => `${mcSeqnoEnd}`)).slice(0, 2),
    start_utime: [`${at(0.3).endUtime}`, '0'],
    end_utime: [`${at(0.7).endUtime}`],
    start_lt: [`${at(0.2).endLt}`, `${2n ** 64n - 1n}`],
    end_lt: [`${at(0.6).endLt}`],
    include_actions: ['true'],
    supported_action_types: [['v1', 'jetton_transfer']],
  };
}

function parseAccount(raw: string): Buffer {
  const { workChain, hash } = Address.parseRaw(raw);
  return Buffer.concat([Buffer.of(workChain & 0xff), hash]);
}

function b64(hash: Buffer): string {
  return hash.toString('base64');
}
