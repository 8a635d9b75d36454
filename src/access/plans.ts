import { UsageError } from '../lib/errors.ts';
import type { KeySettings } from './keys.ts';

/** A named rate. A key copies the rate of its plan, so editing this list changes no existing key. */
interface Plan {
  readonly name: string;
  /** Requests per second. */
  readonly rps: number;
  readonly description: string;
}

/** What the streams of a caller may be; -1 for no limit. */
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

/** What a key of a plan may stream; a plan that does not exist any more counts as the default one. */
export function streamLimitsOf(plan: string): StreamLimits {
  return STREAM_LIMITS[plan] ?? STREAM_LIMITS[DEFAULT_PLAN]!;
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

interface KeyOptions {
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  readonly rps?: string | undefined;
  readonly networks?: string | undefined;
}

/** Turns the options of `keys create` into settings; the error of a wrong option says what it accepts. */
export function readKeySettings(options: KeyOptions): KeySettings {
  const plan = findPlan(options.plan ?? DEFAULT_PLAN);
  if (plan === undefined) {
    throw wrong('--plan', options.plan, `one of ${PLANS.map(({ name }) => name).join(', ')}`);
  }
  return {
    name: readName(options.name),
    plan: plan.name,
    rps: options.rps === undefined ? plan.rps : readRps(options.rps),
    networks: options.networks === undefined ? [] : readNetworks(options.networks),
  };
}

function readName(text: string | undefined): string {
  const name = text?.trim() ?? '';
  // A control character in a name would garble the output of `keys list`.
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw wrong('--name', text, `a name of 1 to ${MAX_NAME_LENGTH} characters on one line`);
  }
  return name;
}

function readRps(text: string): number {
  const rps = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (rps < 1 || rps > MAX_RPS) throw wrong('--rps', text, `an integer from 1 to ${MAX_RPS}`);
  return rps;
}

function readNetworks(text: string): string[] {
  const networks = [...new Set(text.split(',').map((network) => network.trim()))];
  if (!networks.every((network) => KEY_NETWORKS.includes(network))) {
    throw wrong('--networks', text, `a comma-separated choice of ${KEY_NETWORKS.join(', ')}`);
  }
  return networks;
}

function wrong(option: string, value: string | undefined, expected: string): UsageError {
  return new UsageError(
    `${option} ${value === undefined ? 'is missing' : `is "${value}"`}: expected ${expected}`,
  );
}
