import type { Static, TSchema, TSchemaOptions, TString, TUnsafe } from 'typebox';
import Type from 'typebox';
import { formatRaw, fromAccountBytes } from '../chain/address.ts';
import { ShownAs } from '../http/named-schemas.ts';
import { PlainText } from '../http/serializer.ts';

/** The raw address of an account of the index, in the spelling of v3 responses. */
export function formatAccount(account: Buffer): string {
  return formatRaw(fromAccountBytes(account), 'upper');
}

export function formatHash(hash: Buffer): string {
  return hash.toString('base64');
}

export function formatHashOrNull(hash: Buffer | null): string | null {
  return hash && formatHash(hash);
}

/** A shard: the signed number of the index as unsigned hex, without padding. */
export function formatShard(shard: string | bigint): string {
  return BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase();
}

/** An opcode: the signed number of the index as eight hex digits. */
export function formatOpcode(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`;
}

/** A schema that also allows null. Unlike a union, a list of types is serialised without validating the value. */
export function Nullable<T extends TSchema & { readonly type: string }>(
  schema: T,
): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

/** A text out of a few. The serializer does not look which one it is. */
export function TextOf(values: readonly string[], options: TSchemaOptions = {}): TString {
  return ShownAs(PlainText(), { type: 'string', enum: values, ...options });
}

export const AccountStatus = () =>
  TextOf(['uninit', 'frozen', 'active', 'nonexist'], { title: 'AccountStatus' });

export const Finality = () => TextOf(['pending', 'confirmed', 'finalized'], { title: 'FinalityState' });

/** The version of the TVM that made a prediction. */
export const EmulatorVersion = (description: string) => Type.Optional(Type.Integer({ description }));

/** An object with any keys and values of one schema. A record of TypeBox would drop keys with a line break. */
export function MapOf<T extends TSchema>(
  value: T,
  options: TSchemaOptions = {},
): TUnsafe<Readonly<Record<string, Static<T>>>> & { readonly type: 'object' } {
  const schema = { type: 'object', additionalProperties: value, ...options } as const;
  return Object.assign(Type.Unsafe<Readonly<Record<string, Static<T>>>>(schema), { type: schema.type });
}
