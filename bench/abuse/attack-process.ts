/** Runs attackers until it is told to stop. Arguments: the name of the attack or nothing for all of them, the URL of the server, how many. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, type Attack, type Attacker } from './attacks.ts';

/** The message to the parent process at the end: how many requests ended with which status. */
export type Outcomes = Readonly<Record<string, number>>;

/** Attacks of an attacker at the same time, where all are mixed, and how long each goes on. */
const MIXED = 2;
const TURN_MS = 15_000;
/** An attack that ends at once is not begun anew at once. */
const REST_MS = 1000;

const [name = '', url = '', attackers = ''] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
let running = true;
const outcomes: Record<string, number> = {};

function attackerOf(number: number): Attacker {
  return {
    host,
    port: Number(port),
    localAddress: `127.0.1.${number + 1}`,
    isRunning: () => running,
    count: (outcome) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    },
  };
}

/** One attack after the other, from a place on that is not that of others. */
async function mix(attacker: Attacker, first: number): Promise<void> {
  const mixed = ATTACKS.filter(({ hasEvents, isBaseline }) => !hasEvents && !isBaseline);
  for (let turn = 0; running; turn++) {
    const untilMs = performance.now() + TURN_MS;
    const isRunning = () => running && performance.now() < untilMs;
    const attack = mixed[(first + turn) % mixed.length]!;
    await Promise.all([attack.run({ ...attacker, isRunning }), sleep(REST_MS)]);
  }
}

const attack: Attack | undefined = ATTACKS.find((one) => one.name === name);
const attacks = Array.from({ length: Number(attackers) }, (_, number) => {
  const attacker = attackerOf(number);
  if (attack !== undefined) return attack.run(attacker);
  const starts = Array.from({ length: MIXED }, (_, lane) => (number * MIXED + lane) * 4);
  return Promise.all(starts.map((start) => mix(attacker, start)));
});
process.on('message', async () => {
  running = false;
  await Promise.all(attacks);
  process.send?.(outcomes, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
