import type { Kind } from './kinds.ts';

/** A default that depends on another setting, and its description in the docs. */
interface ComputedDefault {
  readonly from: (textOf: (name: string) => string | undefined) => string | undefined;
  readonly shown: string;
}

export interface Setting {
  readonly group: SettingGroup;
  readonly kind: Kind<unknown>;
  /** Text that is read if the variable is unset; without a default the value is undefined. */
  readonly default?: string | ComputedDefault;
  /** Never shown in an error, and can be in a file. In the log it is a URL without credentials, or nothing if it is secret as a whole. */
  readonly secret?: 'url' | 'whole';
  readonly description: string;
}

export type SettingGroup = (typeof settingGroups)[number];

/** Headings of the docs page, in order. */
export const settingGroups = [
  'Network',
  'Localnet',
  'Server',
  'Storage',
  'Access',
  'Requests and load',
  'Index and get-methods',
  'Token metadata',
  'Pending messages and emulation',
  'Streaming',
  'Logs and metrics',
] as const;

export function inGroup<
  Group extends SettingGroup,
  const Table extends Record<string, Omit<Setting, 'group'>>,
>(
  group: Group,
  settings: Table,
): { readonly [Name in keyof Table]: Table[Name] & { readonly group: Group } } {
  const entries = Object.entries(settings).map(([name, setting]) => [name, { group, ...setting }]);
  return Object.fromEntries(entries);
}
