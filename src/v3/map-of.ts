import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';

/** An object with a value of one form for each key. A record of TypeBox would leave out keys with a line break. */
export function MapOf<T extends TSchema>(
  value: T,
): TUnsafe<Readonly<Record<string, Static<T>>>> & { readonly type: 'object' } {
  const schema = { type: 'object', additionalProperties: value } as const;
  return Object.assign(Type.Unsafe<Readonly<Record<string, Static<T>>>>(schema), { type: schema.type });
}
