/** A named rate that an operator hands out; a key copies the rate, so editing this list changes no key. */
export interface Plan {
  readonly name: string;
  /** Requests a second. */
  readonly rps: number;
  readonly description: string;
}

/** The plans in rising order. The lower three have the rates that users of the public service know. */
export const PLANS: readonly Plan[] = [
  { name: 'free', rps: 10, description: 'Trying things out, small bots.' },
  { name: 'basic', rps: 25, description: 'One application with a few users.' },
  { name: 'plus', rps: 100, description: 'A wallet or a site with steady traffic.' },
  { name: 'pro', rps: 500, description: 'An exchange, an explorer, an index of your own.' },
];

/** Plan of a key made without naming one. */
export const DEFAULT_PLAN = 'free';

/** The plan of that name, if there is one. */
export function findPlan(name: string): Plan | undefined {
  return PLANS.find((plan) => plan.name === name);
}
