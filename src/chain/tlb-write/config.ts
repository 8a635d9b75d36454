import type { DictionaryForm } from './dictionary-form.ts';

/** The cells of configuration parameters by their number; `configKey` makes the keys. */
export const CONFIG: DictionaryForm<number> = {
  keyBits: 32,
  write: (builder, cell) => builder.ref(cell),
};

/** The key of a configuration parameter, whose number may be negative. */
export function configKey(index: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(index);
  return key;
}
