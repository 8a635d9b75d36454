import type { Static, TSchema, TUnsafe } from 'typebox';
import Type from 'typebox';
import { type AccountId, accountKey, formatRaw } from '../chain/address.ts';
import { PlainText } from '../http/serializer.ts';

/** An account as the index has it: 33 bytes, the first of them the workchain. */
export function toAccountBytes({ workchain, hash }: AccountId): Buffer {
  return accountKey(workchain, hash);
}

/** The workchain and the hash of an account of the index. */
export function fromAccountBytes(account: Buffer): AccountId {
  return { workchain: account.readInt8(0), hash: account.subarray(1) };
}

/** An account of the index as answers show it. */
export function formatAccount(account: Buffer): string {
  return formatRaw(fromAccountBytes(account), 'upper');
}

/** A hash as answers show it. */
export function formatHash(hash: Buffer): string {
  return hash.toString('base64');
}

/** A hash that may not be there. */
export function formatHashOrNull(hash: Buffer | null): string | null {
  return hash && formatHash(hash);
}

/** A shard: the signed number of the index as unsigned hex, without padding. */
export function formatShard(shard: string): string {
  return BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase();
}

/** An opcode: the signed number of the index as eight hex digits. */
export function formatOpcode(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`;
}

/** What a schema says, or null. A list of types is written without validating the value, which a union is not. */
export function Nullable<T extends TSchema & { readonly type: string }>(
  schema: T,
): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** An object with a value of one form for each key. A record of TypeBox would leave out keys with a line break. */
export function MapOf<T extends TSchema>(
  value: T,
): TUnsafe<Readonly<Record<string, Static<T>>>> & { readonly type: 'object' } {
  const schema = { type: 'object', additionalProperties: value } as const;
  return Object.assign(Type.Unsafe<Readonly<Record<string, Static<T>>>>(schema), { type: schema.type });
}

/** What answers show of the state by which a contract was recognised. */
export const contractStateSchema = {
  last_transaction_lt: PlainText(),
  code_hash: PlainText(),
  data_hash: PlainText(),
};

interface ContractStateRow {
  readonly last_transaction_lt: string;
  readonly code_hash: Buffer;
  readonly data_hash: Buffer;
}

/** Writes the state of a contract. */
export function toContractState({ last_transaction_lt, code_hash, data_hash }: ContractStateRow) {
  return { last_transaction_lt, code_hash: formatHash(code_hash), data_hash: formatHash(data_hash) };
}
