import { hash as hashOnce } from 'node:crypto';
import { Address, type Cell, internal, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { probe, probeBurnGas, probeEcho, probeEmit, probeOverspend, probeThrow } from '../contracts/probe.ts';
import { type Story, type StoryContext, step } from './story.ts';

/** Messages come back, and transactions fail in every phase. */
export function failureStory({ wallets: { bank, frank, heidi, ivan, judy } }: StoryContext): Story {
  const contract = probe({ owner: bank.address });
  const missing = new Address(0, hashOnce('sha256', 'an account that does not exist', 'buffer'));
  const send = (body: Cell, value = '0.5') => internal({ to: contract.address, value: toNano(value), body });

  return {
    contracts: { probe: contract.address, 'account that does not exist': missing },
    steps: [
      step(1, bank, 'The bank deploys a contract that fails on request.', [
        internal({ to: contract.address, value: toNano('10'), init: contract.init }),
      ]),
      step(3, heidi, 'heidi makes the contract throw: the message bounces.', [send(probeThrow(42))]),
      step(3, ivan, 'ivan writes to an account that does not exist: the message bounces.', [
        internal({ to: missing, value: toNano('1'), body: textComment('Is anybody there?') }),
      ]),
      step(3, judy, 'judy makes the contract send more than it has: its actions fail.', [
        send(probeOverspend()),
      ]),
      step(
        3,
        frank,
        'frank makes the contract use up its gas, log an event, and send money back.',
        // The smaller the value, the sooner the gas is used up; nothing is left that could bounce.
        [send(probeBurnGas(), '0.02'), send(probeEmit(1, textComment('An event'))), send(probeEcho())],
      ),
    ],
  };
}
