import type { Kind } from './kinds.ts';
import { settingTable } from './setting-table.ts';

type Table = typeof settingTable;

/** Name of a setting: its environment variable. */
export type SettingName = keyof Table;

/** `DATABASE_POOL_SIZE` as `databasePoolSize`. */
type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelName<Tail>>}`
  : Lowercase<Name>;

type ValueOf<S> = S extends { readonly kind: Kind<infer T> }
  ? S extends { readonly default: unknown }
    ? T
    : T | undefined
  : never;

/** All settings, read and checked; the properties and their types come from the table. */
export type Settings = { readonly [Name in SettingName as CamelName<Name>]: ValueOf<Table[Name]> };

/** Names of all settings in the order of the table. */
export const settingNames = Object.keys(settingTable) as SettingName[];

/** The property of `Settings` that holds a setting. */
export function settingProperty(name: SettingName): keyof Settings {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof Settings;
}
