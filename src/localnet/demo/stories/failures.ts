import { hash as hashOnce } from 'node:crypto';
import { Address, type Cell, internal, toNano } from '@ton/core';
import { textComment } from '../../contracts/contract.ts';
import {
  probe,
  probeBurnGas,
  probeEcho,
  probeEmit,
  probeOverspend,
  probeThrow,
} from '../../contracts/probe.ts';
import type { Story, StoryContext } from '../story.ts';

/** Messages come back, and transactions fail in every phase. */
export function failureStory({ wallets: { bank, frank, heidi, ivan, judy } }: StoryContext): Story {
  const contract = probe({ owner: bank.address });
  const missing = new Address(0, hashOnce('sha256', 'an account that does not exist', 'buffer'));
  const send = (body: Cell, value = '0.5') => internal({ to: contract.address, value: toNano(value), body });

  return {
    contracts: { probe: contract.address, 'account that does not exist': missing },
    steps: [
      {
        round: 1,
        what: 'The bank deploys a contract that fails on request.',
        by: bank,
        sends: [internal({ to: contract.address, value: toNano('10'), init: contract.init })],
      },
      {
        round: 3,
        what: 'heidi makes the contract throw: the message bounces.',
        by: heidi,
        sends: [send(probeThrow(42))],
      },
      {
        round: 3,
        what: 'ivan writes to an account that does not exist: the message bounces.',
        by: ivan,
        sends: [internal({ to: missing, value: toNano('1'), body: textComment('Is anybody there?') })],
      },
      {
        round: 3,
        what: 'judy makes the contract send more than it has: its actions fail.',
        by: judy,
        sends: [send(probeOverspend())],
      },
      {
        round: 3,
        what: 'frank makes the contract use up its gas, log an event, and send money back.',
        by: frank,
        // The smaller the value, the sooner the gas is used up; nothing is left that could bounce.
        sends: [send(probeBurnGas(), '0.02'), send(probeEmit(1, textComment('An event'))), send(probeEcho())],
      },
    ],
  };
}
