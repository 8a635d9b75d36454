import { hash as hashOnce } from 'node:crypto';
import { Address, type Cell, toNano } from '@ton/core';
import { fromCoreCell } from '../../chain/boc/ton-core.ts';
import { readValidatorSet } from '../../chain/tlb/validators.ts';
import type { SigningKey } from '../../lib/ed25519.ts';
import { textComment } from '../contracts/contract.ts';
import {
  fileComplaint,
  newStake,
  readElectorData,
  recoverStake,
  type Stake,
  voteForComplaint,
} from '../contracts/elector.ts';
import { validatorSetParam } from '../genesis/genesis-config.ts';
import { validatorKeys, validatorSetNumber } from '../genesis/keys.ts';
import { ELECTOR_ID } from '../genesis/special-accounts.ts';
import { configOrder, contractData, type DemoChain, readConfigContract } from './demo-chain.ts';
import { type CustomStep, pay, type Story, type StoryContext, send, step, wait } from './story.ts';

const ELECTOR = new Address(-1, ELECTOR_ID);
const PREVIOUS_SET = 32;
const CURRENT_SET = 34;

/** Numbers of validator keys: of the set that ends so that there are elections, of those elected, of the set after. */
const ENDING_SET = 1;
const VICTORS_KEY = 2;
const WANDAS_KEY = 3;
const LAST_SET = 4;

/** Keys of the validators that are elected. */
const keys = { victor: validatorKeys(VICTORS_KEY), wanda: validatorKeys(WANDAS_KEY) };

/** The stake of a validator of the demo. */
export function demoStake(
  chain: DemoChain,
  name: 'victor' | 'wanda',
  holder: Address,
): Omit<Stake, 'queryId'> {
  const adnlAddress = hashOnce('sha256', `ADNL address of ${name}`, 'buffer');
  return { electionId: electionOf(chain).id, key: keys[name], holder, adnlAddress };
}

/**
 * victor alone and wanda with a pool are elected. Each complains about the other; both vote against victor, who is
 * fined, and one against wanda. Then the chain goes on with a validator that was not elected.
 */
export function electionStory({ stakers: { victor, wanda }, wallets: { bank } }: StoryContext): Story {
  const toElector = (ton: string, body: Cell) => send(ELECTOR, ton, body);
  const complain = (chain: DemoChain, about: SigningKey, suggestedFine: string, text: string) =>
    toElector(
      '20',
      fileComplaint({
        queryId: 3n,
        electionId: pastElection(chain).id,
        publicKey: about.publicKey,
        description: textComment(text),
        severity: 1,
        suggestedFine: toNano(suggestedFine),
      }),
    );
  const vote = (chain: DemoChain, key: SigningKey, about: SigningKey) => {
    const { id: electionId, complaints } = pastElection(chain);
    const { hash: complaintHash } = complaints.find(({ publicKey }) => publicKey.equals(about.publicKey))!;
    const index = key === keys.victor ? 0 : 1;
    return toElector('2', voteForComplaint({ queryId: 4n, electionId, complaintHash, index, key }));
  };

  return {
    contracts: { elector: ELECTOR },
    steps: [
      step(1, bank, 'The bank gives money to validators, and to the elector for their rewards.', [
        pay(victor, '50000'),
        pay(wanda, '10000'),
        send(ELECTOR, '800'),
      ]),
      setStep(4, ENDING_SET, 'The validator set gets an end, so elections are announced.', (now) => now + 1),
      step(5, victor, 'victor stakes, first for a wrong election.', (chain) => {
        const stake = demoStake(chain, 'victor', victor.address);
        const wrong = { ...stake, electionId: stake.electionId + 1 };
        return [
          toElector('20001', newStake({ ...wrong, queryId: 1n })),
          toElector('20001', newStake({ ...stake, queryId: 2n })),
        ];
      }),
      step(6, victor, 'victor complains about wanda, and asks for his stake too early.', (chain) => [
        complain(chain, keys.wanda, '200', 'Created no blocks for an hour'),
        toElector('1', recoverStake(5n)),
      ]),
      step(6, wanda, 'wanda complains about victor.', (chain) => [
        complain(chain, keys.victor, '500', 'Created no blocks for two hours'),
      ]),
      step(7, victor, 'victor votes against himself.', (chain) => [vote(chain, keys.victor, keys.victor)]),
      step(7, wanda, 'wanda votes against victor and herself.', (chain) => [
        vote(chain, keys.wanda, keys.victor),
        vote(chain, keys.wanda, keys.wanda),
      ]),
      setStep(8, LAST_SET, 'A validator set without an end takes the place of those elected.'),
      step(10, victor, 'victor takes his stake back.', [toElector('1', recoverStake(6n))]),
    ],
    waits: [
      wait(5, 'Elections are announced.', now, (chain) => readElector(chain).election !== undefined),
      wait(
        6,
        'Validators are elected.',
        (chain) => electionOf(chain).closes,
        (chain) => readElector(chain).election === undefined,
      ),
      wait(
        6,
        'The elected validator set begins.',
        (chain) => pastElection(chain).id,
        (chain) => readElector(chain).activeId !== 0,
      ),
      // Sets are known by the time at which they begin.
      wait(8, 'The elected validators work for a while.', (chain) => pastElection(chain).id + WORK_SECONDS),
      wait(
        9,
        'The elector sees that the elected set is over.',
        now,
        (chain) => readElector(chain).activeId === 0,
      ),
      wait(
        10,
        'Stakes are not held any longer.',
        (chain) => pastElection(chain).unfreezeAt,
        (chain) => readElector(chain).pastElections.length === 0,
      ),
    ],
  };
}

const WORK_SECONDS = 60;

function now(chain: DemoChain): number {
  return chain.now();
}

/** Puts a set of one validator in the place of the current one, which becomes the previous one. */
function setStep(
  round: CustomStep['round'],
  number: number,
  what: string,
  until?: (now: number) => number,
): CustomStep {
  return {
    round,
    what,
    isDone: (chain) => currentSetNumber(chain) >= number,
    message(chain) {
      const since = chain.now();
      const set = validatorSetParam(validatorKeys(number).publicKey, since, until?.(since));
      const previous = readConfigContract(chain).params.get(CURRENT_SET)!;
      const change = new Map([
        [PREVIOUS_SET, previous],
        [CURRENT_SET, set],
      ]);
      return configOrder(chain, change);
    },
  };
}

/** Number of the first key of the current set. */
function currentSetNumber(chain: DemoChain): number {
  const set = fromCoreCell(readConfigContract(chain).params.get(CURRENT_SET)!);
  return validatorSetNumber(readValidatorSet(set, set.root).validators[0]!.publicKey) ?? 0;
}

function readElector(chain: DemoChain) {
  return readElectorData(contractData(chain, ELECTOR)!);
}

function electionOf(chain: DemoChain) {
  const { election } = readElector(chain);
  if (election === undefined) throw new Error('the demo expects an election');
  return election;
}

/** The only election that is over. */
function pastElection(chain: DemoChain) {
  const [past] = readElector(chain).pastElections;
  if (past === undefined) throw new Error('the demo expects a past election');
  return past;
}
