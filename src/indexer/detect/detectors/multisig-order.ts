import { accountKey } from '../../../chain/address/account-key.ts';
import { sameAccount } from '../../../chain/address/same-account.ts';
import { writeBoc } from '../../../chain/boc/write-boc.ts';
import { refuse } from '../../../chain/contracts/not-that.ts';
import { intEntry } from '../../../chain/stack/stack-entry.ts';
import type { Detector } from '../detector.ts';
import { AnswerColumns } from './answer-columns.ts';
import { readAccounts } from './read-accounts.ts';

/** An order of a multisig wallet, if the wallet agrees to it. One that was not begun says null for most: it is none. */
export const MULTISIG_ORDER: Detector<'multisig_orders'> = {
  table: 'multisig_orders',
  methods: [['get_order_data']],
  async detect(probe) {
    const answer = (await probe.run('get_order_data')).atLeast(9);
    const columns = new AnswerColumns(answer);
    const multisig = answer.address(0) ?? refuse('no multisig');
    const seqno = columns.decimal(1);
    const { cells, cell } = answer.cell(8);
    const order = {
      multisig: accountKey(multisig.workchain, multisig.hash),
      order_seqno: seqno,
      threshold: columns.int64(2),
      sent_for_execution: columns.flag(3),
      signers: readAccounts(answer.cell(4)),
      approvals_mask: columns.decimal(5),
      approvals_num: columns.int64(6),
      expiration_date: columns.int64(7),
      order_boc: writeBoc({ cells, roots: [cell] }, { order: 'tonlib' }),
    };
    const wallet = await probe.beside(multisig);
    const place = (await wallet.run('get_order_address', [intEntry(seqno)])).address(0);
    return sameAccount(place, probe.account)
      ? order
      : refuse('the multisig has another order of that number');
  },
};
