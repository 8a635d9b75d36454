/** Runs attackers until it is told to stop. Arguments: the name of the attack, the URL of the server, how many. */
import { ATTACKS } from './attacks.ts';

/** The message to the parent process at the end: how many requests ended with which status. */
export type Outcomes = Readonly<Record<string, number>>;

const [name = '', url = '', attackers = ''] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
const attack = ATTACKS.find((one) => one.name === name)!;
let running = true;
const outcomes: Record<string, number> = {};
const attacks = Array.from({ length: Number(attackers) }, (_, number) =>
  attack.run({
    host,
    port: Number(port),
    localAddress: `127.0.1.${number + 1}`,
    isRunning: () => running,
    count: (outcome) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    },
  }),
);
process.on('message', async () => {
  running = false;
  await Promise.all(attacks);
  process.send?.(outcomes, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
