import { hash as hashOnce } from 'node:crypto';
import { Address } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { probe, probeBurnGas, probeEcho, probeEmit, probeOverspend, probeThrow } from '../contracts/probe.ts';
import { deploy, type Story, type StoryContext, send, step } from './story.ts';

/** Messages come back, and transactions fail in every phase. */
export function failureStory({ wallets: { bank, frank, heidi, ivan, judy } }: StoryContext): Story {
  const contract = probe({ owner: bank.address });
  const { address } = contract;
  const missing = new Address(0, hashOnce('sha256', 'an account that does not exist', 'buffer'));

  return {
    contracts: { probe: address, 'account that does not exist': missing },
    steps: [
      step(1, bank, 'The bank deploys a contract that fails on request.', [deploy(contract, '10')]),
      step(3, heidi, 'heidi makes the contract throw: the message bounces.', [
        send(address, '0.5', probeThrow(42)),
      ]),
      step(3, ivan, 'ivan writes to an account that does not exist: the message bounces.', [
        send(missing, '1', textComment('Is anybody there?')),
      ]),
      step(3, judy, 'judy makes the contract send more than it has: its actions fail.', [
        send(address, '0.5', probeOverspend()),
      ]),
      step(3, frank, 'frank makes the contract use up its gas, log an event, and send money back.', [
        // The smaller the value, the sooner the gas is used up; nothing is left that could bounce.
        send(address, '0.02', probeBurnGas()),
        send(address, '0.5', probeEmit(1, textComment('An event'))),
        send(address, '0.5', probeEcho()),
      ]),
    ],
  };
}
