import type { Kind } from './kinds.ts';

/** A default that depends on another setting: how it is found, and how the docs put it. */
interface ComputedDefault {
  readonly from: (textOf: (name: string) => string | undefined) => string | undefined;
  readonly shown: string;
}

/** One setting: all that the reader, the docs page and the log need to know of it. */
export interface Setting {
  readonly group: SettingGroup;
  readonly kind: Kind<unknown>;
  /** Text read when the variable is unset; without it the value of an unset variable is undefined. */
  readonly default?: string | ComputedDefault;
  /** The value is never shown in a fault, and only without its credentials in the log. */
  readonly secret?: true;
  readonly sentence: string;
}

export type SettingGroup = (typeof settingGroups)[number];

/** Headings of the docs page, in their order. */
export const settingGroups = [
  'Network',
  'Localnet',
  'Server',
  'Storage',
  'Access',
  'Requests and load',
  'Index and get-methods',
  'Metadata of tokens',
  'Pending and emulation',
  'Observation',
] as const;
