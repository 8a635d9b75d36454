import { compose } from '../compose.ts';
import { call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;
const NEW_STAKE = 0x4e73744b;
const STAKE_ACCEPTED = 0xf374484c;
const RECOVER_STAKE = 0x47657424;
const STAKE_RETURNED = 0xf96f7324;

/** A validator stakes for the next round; only the elector's answer says that it did. */
export const electionDeposit: Rule = {
  name: 'election deposit',
  test: (block) => block.calls(NEW_STAKE) && block.message.destination === ELECTOR,
  around: { each: call(STAKE_ACCEPTED, { as: 'answer', optional: true, excess: false }) },
  build(block, found) {
    const { source, value } = block.message;
    const refused = found.named('answer') === undefined;
    const content = plainContent('election_deposit', { source, amount: value }, refused);
    compose(content, [block, ...found.blocks]);
  },
};

/** A validator takes back what the elector owes him. */
export const electionRecover: Rule = {
  name: 'election recover',
  test: (block) => block.calls(RECOVER_STAKE) && block.message.destination === ELECTOR,
  around: { each: call(STAKE_RETURNED, { as: 'answer', optional: true, excess: false }) },
  build(block, found) {
    const answer = found.named('answer');
    const columns = { source: block.message.source, amount: answer?.message.value ?? null };
    const content = plainContent('election_recover', columns, answer === undefined);
    compose(content, [block, ...found.blocks]);
  },
};
