import type { Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import {
  deliveriesOf,
  readStoredTransactions,
  type StoredMessage,
} from '../../support/stored-transactions.ts';
import { common, type ListQuery, type ListValues } from './list-queries.ts';

/** A message with the values that filters use. */
export interface SlowMessage extends Omit<StoredMessage, 'source' | 'destination'> {
  readonly source: string | null;
  readonly destination: string | null;
  /** Hashes of transactions. */
  readonly receivedBy: string | undefined;
  readonly sentBy: string | undefined;
}

/** Reads all messages of an index. */
export async function readSlowMessages(db: Kysely<Tables>): Promise<SlowMessage[]> {
  return deliveriesOf(await readStoredTransactions(db)).map(({ message, sentBy, receivedBy }) => ({
    ...message,
    source: message.source ? formatAccount(message.source) : null,
    destination: message.destination ? formatAccount(message.destination) : null,
    receivedBy: b64(receivedBy?.hash),
    sentBy: b64(sentBy?.hash),
  }));
}

/** Whether a message matches, parameter by parameter as in the contract. */
const RULES: Readonly<Record<string, (message: SlowMessage, values: readonly string[]) => boolean>> = {
  msg_hash: (one, values) =>
    values.some((hash) => hash === b64(one.hash) || hash === b64(one.normalizedHash)),
  hash: (one, [hash]) => hash === b64(one.hash) || hash === b64(one.normalizedHash),
  body_hash: ({ bodyHash }, [hash]) => hash === b64(bodyHash),
  source: ({ source }, [value]) => (value === 'null' ? source === null : source === value),
  destination: ({ destination }, [value]) =>
    value === 'null' ? destination === null : destination === value,
  opcode: ({ opcode }, [value]) => opcode === Number(value),
  direction: ({ receivedBy, sentBy }, [value]) => (value === 'in' ? receivedBy : sentBy) !== undefined,
  start_utime: ({ createdAt }, [value]) => createdAt !== undefined && createdAt >= Number(value),
  end_utime: ({ createdAt }, [value]) => createdAt !== undefined && createdAt <= Number(value),
  start_lt: ({ createdAt, lt }, [value]) => createdAt !== undefined && lt >= BigInt(value!),
  end_lt: ({ createdAt, lt }, [value]) => createdAt !== undefined && lt <= BigInt(value!),
  exclude_externals: ({ createdAt }, [value]) => value !== 'true' || createdAt !== undefined,
  only_externals: ({ createdAt }, [value]) => value !== 'true' || createdAt === undefined,
};

/** The requested messages in order, as hash and the transactions on both sides. */
export function listReferenceMessages(messages: readonly SlowMessage[], query: ListQuery) {
  const sign = query.sort === 'asc' ? 1n : -1n;
  const byTime = query.start_utime !== undefined || query.end_utime !== undefined;
  const key = ({ createdAt, lt }: SlowMessage) => (byTime ? BigInt(createdAt!) : lt);
  const filters = Object.entries(query).flatMap(([name, value]) =>
    RULES[name] === undefined ? [] : [(each: SlowMessage) => RULES[name]!(each, [value].flat())],
  );
  return messages
    .filter((message) => filters.every((filter) => filter(message)))
    .sort((a, b) => Number(sign * (key(a) - key(b) || BigInt(Buffer.compare(a.hash, b.hash)))))
    .map(({ hash, receivedBy, sentBy }) => ({
      hash: b64(hash),
      in_msg_tx_hash: query.direction === 'out' ? undefined : receivedBy,
      out_msg_tx_hash: query.direction === 'in' ? undefined : sentBy,
    }));
}

function b64(hash: Buffer | undefined): string | undefined {
  return hash?.toString('base64');
}

/** Values of some messages, a few of each kind. */
export function messageValues(all: readonly SlowMessage[]): ListValues {
  const at = (part: number) => all[Math.floor(part * (all.length - 1))]!;
  const created = all.filter(({ createdAt }) => createdAt !== undefined);
  const [early, late] = [1, 2].map(
    (third) => created.toSorted((a, b) => Number(a.lt - b.lt))[((created.length * third) / 3) | 0]!,
  );
  const external = all.find(({ normalizedHash }) => normalizedHash !== undefined)!;
  const opcodes = common(all.flatMap(({ opcode }) => opcode ?? []));
  return {
    msg_hash: [[b64(at(0.2).hash)!, b64(external.normalizedHash)!], b64(Buffer.alloc(32))!],
    hash: [b64(at(0.7).hash)!],
    body_hash: common(all.map(({ bodyHash }) => b64(bodyHash)!)).slice(0, 2),
    source: ['null', ...common(all.flatMap(({ source }) => source ?? [])).slice(0, 2)],
    destination: ['null', ...common(all.flatMap(({ destination }) => destination ?? [])).slice(0, 2)],
    opcode: opcodes.slice(0, 2).map((opcode) => `0x${opcode.toString(16)}`),
    direction: ['in', 'out'],
    start_utime: [`${early!.createdAt!}`],
    end_utime: [`${late!.createdAt!}`, '4294967295'],
    start_lt: [`${early!.lt}`, '1', `${2n ** 64n - 1n}`],
    end_lt: [`${late!.lt}`],
    exclude_externals: ['true'],
    only_externals: ['true'],
  };
}
