import type { Detector } from '../detector.ts';
import { AnswerColumns } from './answer-columns.ts';
import { readAccounts } from './read-accounts.ts';

/** A multisig wallet of version 2. */
export const MULTISIG: Detector<'multisigs'> = {
  table: 'multisigs',
  methods: [['get_multisig_data']],
  async detect(probe) {
    const answer = (await probe.run('get_multisig_data')).atLeast(4);
    const columns = new AnswerColumns(answer);
    return {
      next_order_seqno: columns.decimal(0),
      threshold: columns.int64(1),
      signers: readAccounts(answer.maybeCell(2)),
      proposers: readAccounts(answer.maybeCell(3)),
    };
  },
};
