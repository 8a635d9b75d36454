import type { Kysely, Selectable } from 'kysely';
import type { MessagesTable, Tables } from '../../../src/db/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { common, type ListQuery, type ListValues } from './list-queries.ts';

type Row = Selectable<MessagesTable>;

/** A message combined from its rows. */
export interface SlowMessage {
  readonly row: Row;
  readonly source: string | null;
  readonly destination: string | null;
  readonly receivedBy: string | undefined;
  readonly sentBy: string | undefined;
}

/** Reads all messages of an index from plain rows. */
export async function readSlowMessages(db: Kysely<Tables>): Promise<SlowMessage[]> {
  const [rows, transactions] = [
    await db.selectFrom('messages').selectAll().execute(),
    await db.selectFrom('transactions').select(['account', 'lt', 'hash']).execute(),
  ];
  const hashes = new Map(
    transactions.map(({ account, lt, hash }) => [formatAccount(account) + lt, hash.toString('base64')]),
  );
  const hashOf = (row: Row | undefined) => row && hashes.get(formatAccount(row.account) + row.tx_lt);
  return [...Map.groupBy(rows, ({ hash, lt }) => hash.toString('hex') + lt).values()].map((sides) => {
    const received = sides.find(({ ordinal }) => ordinal === 0);
    const sent = sides.find(({ ordinal }) => ordinal > 0);
    const ends = received ? [received.peer, received.account] : [sent!.account, sent!.peer];
    const [source, destination] = ends.map((account) => account && formatAccount(account));
    return {
      row: sides[0]!,
      source: source!,
      destination: destination!,
      receivedBy: hashOf(received),
      sentBy: hashOf(sent),
    };
  });
}

/** Whether a message matches, parameter by parameter as in the contract. */
const RULES: Readonly<Record<string, (message: SlowMessage, values: readonly string[]) => boolean>> = {
  msg_hash: ({ row }, values) => values.some((hash) => hash === b64(row.hash) || hash === b64(row.hash_norm)),
  hash: ({ row }, [hash]) => hash === b64(row.hash) || hash === b64(row.hash_norm),
  body_hash: ({ row }, [hash]) => hash === b64(row.body_hash),
  source: ({ source }, [value]) => (value === 'null' ? source === null : source === value),
  destination: ({ destination }, [value]) =>
    value === 'null' ? destination === null : destination === value,
  opcode: ({ row }, [value]) => row.opcode !== null && row.opcode >>> 0 === Number(value),
  direction: ({ receivedBy, sentBy }, [value]) => (value === 'in' ? receivedBy : sentBy) !== undefined,
  start_utime: ({ row }, [value]) => row.created_at !== null && BigInt(row.created_at) >= BigInt(value!),
  end_utime: ({ row }, [value]) => row.created_at !== null && BigInt(row.created_at) <= BigInt(value!),
  start_lt: ({ row }, [value]) => row.created_at !== null && BigInt(row.lt) >= BigInt(value!),
  end_lt: ({ row }, [value]) => row.created_at !== null && BigInt(row.lt) <= BigInt(value!),
  exclude_externals: ({ row }, [value]) => value !== 'true' || row.created_at !== null,
  only_externals: ({ row }, [value]) => value !== 'true' || row.created_at === null,
};

/** The requested messages in order, as hash and the transactions on both sides. */
export function listReferenceMessages(messages: readonly SlowMessage[], query: ListQuery) {
  const sign = query.sort === 'asc' ? 1n : -1n;
  const byTime = query.start_utime !== undefined || query.end_utime !== undefined;
  const key = ({ row }: SlowMessage) => BigInt(byTime ? row.created_at! : row.lt);
  const filters = Object.entries(query).flatMap(([name, value]) =>
    RULES[name] === undefined ? [] : [(each: SlowMessage) => RULES[name]!(each, [value].flat())],
  );
  return messages
    .filter((message) => filters.every((filter) => filter(message)))
    .sort((a, b) => Number(sign * (key(a) - key(b) || BigInt(Buffer.compare(a.row.hash, b.row.hash)))))
    .map(({ row, receivedBy, sentBy }) => ({
      hash: b64(row.hash),
      in_msg_tx_hash: query.direction === 'out' ? undefined : receivedBy,
      out_msg_tx_hash: query.direction === 'in' ? undefined : sentBy,
    }));
}

function b64(hash: Buffer | null): string | undefined {
  return hash?.toString('base64');
}

/** Values of some messages, a few of each kind. */
export function messageValues(all: readonly SlowMessage[]): ListValues {
  const at = (part: number) => all[Math.floor(part * (all.length - 1))]!.row;
  const created = all.map(({ row }) => row).filter((row) => row.created_at !== null);
  const [early, late] = [1, 2].map(
    (third) =>
      created.toSorted((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))[((created.length * third) / 3) | 0]!,
  );
  const external = all.find(({ row }) => row.hash_norm !== null)!.row;
  const opcodes = common(all.flatMap(({ row }) => row.opcode ?? []));
  return {
    msg_hash: [[b64(at(0.2).hash)!, b64(external.hash_norm)!], b64(Buffer.alloc(32))!],
    hash: [b64(at(0.7).hash)!],
    body_hash: common(all.map(({ row }) => b64(row.body_hash)!)).slice(0, 2),
    source: ['null', ...common(all.flatMap(({ source }) => source ?? [])).slice(0, 2)],
    destination: ['null', ...common(all.flatMap(({ destination }) => destination ?? [])).slice(0, 2)],
    opcode: opcodes.slice(0, 2).map((opcode) => `0x${(opcode >>> 0).toString(16)}`),
    direction: ['in', 'out'],
    start_utime: [early!.created_at!],
    end_utime: [late!.created_at!, '4294967295'],
    start_lt: [early!.lt, '1', `${2n ** 64n - 1n}`],
    end_lt: [late!.lt],
    exclude_externals: ['true'],
    only_externals: ['true'],
  };
}
