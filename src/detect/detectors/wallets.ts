import { ACCOUNT_BYTES, accountKey, sameAccount } from '../../chain/address.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { mismatchOnCellError, throwMismatch } from '../../chain/contracts/probe.ts';
import { type CellEntry, intEntry } from '../../chain/stack/entries.ts';
import { walkDictionary } from '../../chain/tlb/dictionary.ts';
import { readMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

const INDEX_BITS = 8;

/** The accounts of a dictionary with 8-bit keys, in key order; none for no dictionary. */
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

export const MULTISIG: Detector<'multisigs'> = {
  table: 'multisigs',
  methods: [['get_multisig_data']],
  async detect(probe) {
    const result = (await probe.run('get_multisig_data')).atLeast(4);
    const columns = new ResultColumns(result);
    return {
      next_order_seqno: columns.decimal(0),
      threshold: columns.int64(1),
      signers: readAccounts(result.maybeCell(2)),
      proposers: readAccounts(result.maybeCell(3)),
    };
  },
};

/** A multisig order that its wallet confirms. An order that was not initialised returns nulls, which is a mismatch. */
export const MULTISIG_ORDER: Detector<'multisig_orders'> = {
  table: 'multisig_orders',
  methods: [['get_order_data']],
  async detect(probe) {
    const result = (await probe.run('get_order_data')).atLeast(9);
    const columns = new ResultColumns(result);
    const multisig = result.address(0) ?? throwMismatch('the order has no multisig');
    const seqno = columns.decimal(1);
    const { cells, cell } = result.cell(8);
    const order = {
      multisig: accountKey(multisig.workchain, multisig.hash),
      order_seqno: seqno,
      threshold: columns.int64(2),
      sent_for_execution: columns.flag(3),
      signers: readAccounts(result.cell(4)),
      approvals_mask: columns.decimal(5),
      approvals_num: columns.int64(6),
      expiration_date: columns.int64(7),
      order_boc: writeBoc({ cells, roots: [cell] }, { order: 'tonlib' }),
    };
    const wallet = await probe.beside(multisig);
    const place = (await wallet.run('get_order_address', [intEntry(seqno)])).address(0);
    return sameAccount(place, probe.account)
      ? order
      : throwMismatch('the multisig has another order with this seqno');
  },
};

// The contract has no limit.
const MAX_WHITELIST = 1000;

/** A vesting wallet. An empty whitelist is null. */
export const VESTING: Detector<'vestings'> = {
  table: 'vestings',
  methods: [['get_vesting_data']],
  codes: new Set(['b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590']),
  async detect(probe) {
    const result = (await probe.run('get_vesting_data')).atLeast(8);
    const columns = new ResultColumns(result);
    return {
      start_time: columns.int64(0),
      total_duration: columns.int64(1),
      unlock_period: columns.int64(2),
      cliff_duration: columns.int64(3),
      total_amount: columns.decimal(4),
      sender: columns.account(5),
      owner: columns.account(6),
      whitelist: readWhitelist(result.maybeCell(7)),
    };
  },
};

/** The keys are accounts, workchain first, as in columns. */
function readWhitelist(dictionary: CellEntry | undefined): Buffer[] {
  const accounts: Buffer[] = [];
  if (dictionary === undefined) return accounts;
  mismatchOnCellError(() =>
    walkDictionary(dictionary.cells, dictionary.cell, ACCOUNT_BYTES * 8, (account) => {
      if (accounts.push(Buffer.from(account)) > MAX_WHITELIST) throwMismatch('the whitelist is too long');
    }),
  );
  return accounts;
}
