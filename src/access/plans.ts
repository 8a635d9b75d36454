import { UsageError } from '../lib/errors.ts';
import type { KeySettings } from './keys.ts';

/** A named rate. A key copies the rate of its plan, so editing this list changes no existing key. */
interface Plan {
  readonly name: string;
  /** Requests per second. */
  readonly rps: number;
  readonly description: string;
}

/** Limits of the streams of a caller; -1 for no limit. */
export interface StreamLimits {
  /** At the same time, of both transports together. */
  readonly connections: number;
  /** Addresses that a connection may watch. */
  readonly addresses: number;
  /** Events that a connection is sent per second, with bursts of ten seconds. */
  readonly eventsPerSecond: number;
}

const STREAM_LIMITS: Readonly<Record<string, StreamLimits>> = {
  free: { connections: 2, addresses: 1000, eventsPerSecond: 100 },
  basic: { connections: 10, addresses: 1000, eventsPerSecond: 200 },
  plus: { connections: 50, addresses: 10_000, eventsPerSecond: 500 },
  pro: { connections: 500, addresses: 100_000, eventsPerSecond: 2000 },
  // The key that a local chain has for its developer.
  localnet: { connections: -1, addresses: -1, eventsPerSecond: -1 },
};

/** The stream limits of a plan; one that does not exist any more counts as the default one. */
export function streamLimitsOf(plan: string): StreamLimits {
  return STREAM_LIMITS[plan] ?? STREAM_LIMITS[DEFAULT_PLAN]!;
}

/** How many rows of a list a caller may skip by `offset`; cursors have no limit. The lists of a local chain are short. */
const MAX_OFFSETS: Readonly<Record<string, number>> = {
  free: 20_000,
  basic: 50_000,
  plus: 200_000,
  pro: 1_000_000,
  localnet: Number.POSITIVE_INFINITY,
};

/** The largest `offset` of a plan; one that does not exist any more counts as the default one. */
export function maxOffsetOfPlan(plan: string): number {
  return MAX_OFFSETS[plan] ?? MAX_OFFSETS[DEFAULT_PLAN]!;
}

/** The plans in ascending order. The lower three have the rates of the public service. */
export const PLANS: readonly Plan[] = [
  { name: 'free', rps: 10, description: 'Trying things out, small bots.' },
  { name: 'basic', rps: 25, description: 'One application with a few users.' },
  { name: 'plus', rps: 100, description: 'A wallet or a site with steady traffic.' },
  { name: 'pro', rps: 500, description: 'An exchange, an explorer, an index of your own.' },
];

/** Plan of a key that is created without naming one. */
export const DEFAULT_PLAN = 'free';

/** The plan of that name, if there is one. */
export function findPlan(name: string): Plan | undefined {
  return PLANS.find((plan) => plan.name === name);
}

/** Networks that a key can be limited to: the values of the setting NETWORK. */
export const KEY_NETWORKS: readonly string[] = ['mainnet', 'testnet', 'localnet', 'custom'];

const MAX_RPS = 100_000;
const MAX_NAME_LENGTH = 100;

/** Options of a new key, as texts of a command line or of a request. */
interface KeyOptions extends PlanOptions {
  readonly name?: string | undefined;
  readonly networks?: string | undefined;
  readonly owner?: string | undefined;
}

interface PlanOptions {
  readonly plan?: string | undefined;
  readonly rps?: string | undefined;
}

/** Creates the error for an option; `expected` says what it accepts. */
export type OptionError = (name: string, value: string | undefined, expected: string) => Error;

/** Turns the options of a new key into settings; the error of a wrong option says what it accepts. */
export function readKeySettings(options: KeyOptions, wrong: OptionError = wrongOption): KeySettings {
  return {
    ...readPlan(options, wrong),
    name: readName('name', options.name, wrong),
    networks: options.networks === undefined ? [] : readNetworks(options.networks, wrong),
    owner: options.owner === undefined ? undefined : readName('owner', options.owner, wrong),
  };
}

/** The plan of the options with its rate, or with another rate if there is one. */
export function readPlan({ plan: name, rps }: PlanOptions, wrong: OptionError = wrongOption) {
  const plan = findPlan(name ?? DEFAULT_PLAN);
  if (plan === undefined) throw wrong('plan', name, `one of ${PLANS.map((one) => one.name).join(', ')}`);
  return { plan: plan.name, rps: rps === undefined ? plan.rps : readRps(rps, wrong) };
}

/** A name of a key or of an owner. */
export function readName(option: string, text: string | undefined, wrong: OptionError = wrongOption): string {
  const name = text?.trim() ?? '';
  // A control character in a name would garble the output of `keys list`.
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw wrong(option, text, `a name of 1 to ${MAX_NAME_LENGTH} characters on one line`);
  }
  return name;
}

function readRps(text: string, wrong: OptionError): number {
  const rps = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (rps < 1 || rps > MAX_RPS) throw wrong('rps', text, `an integer from 1 to ${MAX_RPS}`);
  return rps;
}

function readNetworks(text: string, wrong: OptionError): string[] {
  const networks = [...new Set(text.split(',').map((network) => network.trim()))];
  if (!networks.every((network) => KEY_NETWORKS.includes(network))) {
    throw wrong('networks', text, `a comma-separated choice of ${KEY_NETWORKS.join(', ')}`);
  }
  return networks;
}

function wrongOption(name: string, value: string | undefined, expected: string): UsageError {
  return new UsageError(
    `--${name} ${value === undefined ? 'is missing' : `is "${value}"`}: expected ${expected}`,
  );
}
