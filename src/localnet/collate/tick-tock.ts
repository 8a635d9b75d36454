import { MASTERCHAIN } from '../../chain/block-id.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import type { BlockDraft } from './block-draft.ts';

/** Runs the special accounts that want it at the start (tick) or at the end (tock) of a masterchain block. */
export async function tickTock(draft: BlockDraft, which: 'tick' | 'tock'): Promise<void> {
  const { arena, startLt, view } = draft.input;
  const lt = which === 'tick' ? startLt + 1n : draft.maxLt;
  const tasks = view.config.special
    .map((id) => draft.book.get(id))
    .filter(({ current }) => {
      const account = readAccount(arena, current.account);
      return account?.state.kind === 'active' && account.state.init.special?.[which] === true;
    })
    .map((account) => ({ account, cause: { tickTock: which }, lt }));
  await draft.maker.prepare(tasks);
  for (const task of tasks) {
    const made = await draft.maker.make(task);
    if (!('cell' in made)) throw new Error(`a ${which} transaction was not made: ${made.text}`);
    const hash = task.account.id;
    const initiator = { kind: 'std', workchain: MASTERCHAIN, hash, anycast: undefined } as const;
    draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, false);
  }
}
