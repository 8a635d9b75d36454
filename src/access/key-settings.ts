import { UsageError } from '../lib/usage-error.ts';
import type { KeySettings } from './new-key.ts';
import { DEFAULT_PLAN, findPlan, PLANS } from './plans.ts';

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

/** Turns the options of `keys create` into settings, or says which option is wrong and what it accepts. */
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
  // A control character in a name would garble the list.
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
