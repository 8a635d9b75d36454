import type { AccountId } from '../address.ts';
import type { BlockId, ShortBlockId, ZeroStateId } from '../block-id.ts';
import { hasBit, isGiven, type TlReader, type TlWriter } from './tl.ts';

/**
 * TL types as tables of fields: a record is written and read in the order of its table, and its TypeScript type follows
 * from the table, so that the three cannot disagree.
 */

/** How a value without a constructor id is written and read. */
export interface TlField<T> {
  /** The fewest bytes a value can have: a vector with a false count is refused before anything is read. */
  readonly minBytes: number;
  readonly read: (reader: TlReader) => T;
  readonly write: (writer: TlWriter, value: T) => void;
}

/** A field that is present when a bit of the record's `mode` is set. */
interface OptionalField<T> extends TlField<T> {
  readonly bit: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a table may have fields of any types, which are both read and written.
type Fields = Readonly<Record<string, TlField<any> & { readonly bit?: number }>>;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends { readonly bit: number } ? K : never }[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/** The value of a field or type, or the request of a function. */
export type TlValue<F> = F extends { readonly read: (reader: TlReader) => infer T } ? T : never;

type RecordOf<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TlValue<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: TlValue<F[K]> | undefined;
  }
>;

/** Fields one after another. Optional ones need a field `mode` before them. */
function record<F extends Fields>(table: F): TlField<RecordOf<F>> {
  const names = Object.keys(table);
  const fields = Object.values(table);
  return {
    minBytes: fields.reduce((sum, { bit, minBytes }) => sum + (bit === undefined ? minBytes : 0), 0),
    read(reader) {
      const value: Record<string, unknown> = {};
      for (let i = 0; i < fields.length; i++) {
        const { bit, read } = fields[i]!;
        value[names[i]!] = bit === undefined || hasBit(value.mode as number, bit) ? read(reader) : undefined;
      }
      return value as RecordOf<F>;
    },
    write(writer, record) {
      const value = record as Readonly<Record<string, unknown>>;
      for (let i = 0; i < fields.length; i++) {
        const { bit, write } = fields[i]!;
        const name = names[i]!;
        if (bit === undefined || isGiven(value.mode as number, bit, value[name], name))
          write(writer, value[name]);
      }
    },
  };
}

function vector<T>(item: TlField<T>): TlField<readonly T[]> {
  return {
    minBytes: 4,
    read: (reader) => reader.vector(item.minBytes, item.read),
    write: (writer, items) => writer.vector(items, item.write),
  };
}

function optional<T>(bit: number, field: TlField<T>): OptionalField<T> {
  return { ...field, bit };
}

const blockId: TlField<BlockId> = {
  minBytes: 80,
  read: (reader) => ({
    workchain: reader.int(),
    shard: reader.long(),
    seqno: reader.int(),
    rootHash: reader.int256(),
    fileHash: reader.int256(),
  }),
  write(writer, id) {
    shortBlockId.write(writer, id);
    writer.int256(id.rootHash);
    writer.int256(id.fileHash);
  },
};

const shortBlockId: TlField<ShortBlockId> = {
  minBytes: 16,
  read: (reader) => ({ workchain: reader.int(), shard: reader.long(), seqno: reader.int() }),
  write(writer, id) {
    writer.int(id.workchain);
    writer.long(id.shard);
    writer.int(id.seqno);
  },
};

const zeroStateId: TlField<ZeroStateId> = {
  minBytes: 68,
  read: (reader) => ({ workchain: reader.int(), rootHash: reader.int256(), fileHash: reader.int256() }),
  write(writer, id) {
    writer.int(id.workchain);
    writer.int256(id.rootHash);
    writer.int256(id.fileHash);
  },
};

const accountId: TlField<AccountId> = {
  minBytes: 36,
  read: (reader) => ({ workchain: reader.int(), hash: reader.int256() }),
  write(writer, account) {
    writer.int(account.workchain);
    writer.int256(account.hash);
  },
};

const int: TlField<number> = { minBytes: 4, read: (r) => r.int(), write: (w, value) => w.int(value) };
const uint: TlField<number> = { minBytes: 4, read: (r) => r.uint(), write: (w, value) => w.uint(value) };
const long: TlField<bigint> = { minBytes: 8, read: (r) => r.long(), write: (w, value) => w.long(value) };
const bool: TlField<boolean> = { minBytes: 4, read: (r) => r.bool(), write: (w, value) => w.bool(value) };
const int256: TlField<Buffer> = {
  minBytes: 32,
  read: (r) => r.int256(),
  write: (w, value) => w.int256(value),
};
const bytes: TlField<Buffer> = { minBytes: 4, read: (r) => r.bytes(), write: (w, value) => w.bytes(value) };

/** The kinds of fields by their names in the schema. Ids, which nearly every query has, are written by hand for speed. */
export const tl = {
  int,
  /** A `#`, or an `int` with an unsigned number. */
  uint,
  long,
  bool,
  int256,
  bytes,
  /** `tonNode.blockIdExt`; for some functions a seqno of -1 means the newest block. */
  blockId,
  /** `tonNode.blockId`. */
  shortBlockId,
  /** `tonNode.zeroStateIdExt`. */
  zeroStateId,
  /** `liteServer.accountId`. */
  accountId,
  vector,
  record,
  /** `mode.N?type`. */
  optional,
};
