import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';

/** What a schema says, or null. A list of types is written without validating the value, which a union is not. */
export function Nullable<T extends TSchema & { readonly type: string }>(
  schema: T,
): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}
