import { ACCOUNT_BYTES, accountKey, sameAccount } from '../../../chain/address.ts';
import { writeBoc } from '../../../chain/boc/writer.ts';
import { mismatchOnCellError, throwMismatch } from '../../../chain/contracts/probe.ts';
import { type CellEntry, intEntry } from '../../../chain/stack/entries.ts';
import { walkDictionary } from '../../../chain/tlb/dictionary.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Detector } from '../detection.ts';
import { AnswerColumns } from './answer-columns.ts';

const INDEX_BITS = 8;

/** The accounts of a dictionary by numbers of 8 bits, in the order of the numbers; none for no dictionary. */
function readAccounts(dictionary: CellEntry | undefined): Buffer[] {
  const accounts: Buffer[] = [];
  if (dictionary === undefined) return accounts;
  mismatchOnCellError(() =>
    walkDictionary(dictionary.cells, dictionary.cell, INDEX_BITS, (_, value) => {
      const address = readMsgAddress(value);
      if (address.kind !== 'std' || address.anycast !== undefined) throwMismatch('an account expected');
      else accounts.push(accountKey(address.workchain, address.hash));
      value.end();
    }),
  );
  return accounts;
}

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

/** An order of a multisig wallet, if the wallet agrees to it. One that was not begun says null for most: it is none. */
export const MULTISIG_ORDER: Detector<'multisig_orders'> = {
  table: 'multisig_orders',
  methods: [['get_order_data']],
  async detect(probe) {
    const answer = (await probe.run('get_order_data')).atLeast(9);
    const columns = new AnswerColumns(answer);
    const multisig = answer.address(0) ?? throwMismatch('no multisig');
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
      : throwMismatch('the multisig has another order of that number');
  },
};

// The wallet itself knows no limit, but nobody needs so many.
const MAX_WHITELIST = 1000;

/** A vesting wallet. One whose whitelist is empty says null for it. */
export const VESTING: Detector<'vestings'> = {
  table: 'vestings',
  methods: [['get_vesting_data']],
  codes: new Set(['b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590']),
  async detect(probe) {
    const answer = (await probe.run('get_vesting_data')).atLeast(8);
    const columns = new AnswerColumns(answer);
    return {
      start_time: columns.int64(0),
      total_duration: columns.int64(1),
      unlock_period: columns.int64(2),
      cliff_duration: columns.int64(3),
      total_amount: columns.decimal(4),
      sender: columns.account(5),
      owner: columns.account(6),
      whitelist: readWhitelist(answer.maybeCell(7)),
    };
  },
};

/** The keys are accounts, workchain first, as columns have them too. */
function readWhitelist(dictionary: CellEntry | undefined): Buffer[] {
  const accounts: Buffer[] = [];
  if (dictionary === undefined) return accounts;
  mismatchOnCellError(() =>
    walkDictionary(dictionary.cells, dictionary.cell, ACCOUNT_BYTES * 8, (account) => {
      if (accounts.push(Buffer.from(account)) > MAX_WHITELIST) throwMismatch('too long a whitelist');
    }),
  );
  return accounts;
}
